package dev.berth.backends.sim;

import dev.berth.model.JobObservation;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The jobs of one owner, by the keys that he gave them. Changes nothing. */
record OwnJobs(Owner owner) {
  /** All jobs of a key that are there. */
  List<SimJob> all(Turn turn, String attemptId) {
    return turn.world().jobsOf(owner, attemptId).stream()
        .filter(job -> turn.world().visible(job, turn.now()))
        .toList();
  }

  /** The first of the jobs of a key; there are several only where the cloud looks up. */
  Optional<SimJob> find(Turn turn, String attemptId) {
    return all(turn, attemptId).stream().findFirst();
  }

  SimJob require(Turn turn, String attemptId) {
    SimJob job =
        find(turn, attemptId)
            .orElseThrow(
                () ->
                    new BackendException.Gone(
                        "there is no job %s in the simulated cloud".formatted(attemptId), null));
    requireReachable(turn, job);
    return job;
  }

  static void requireReachable(Turn turn, SimJob job) {
    String home = job.home();
    requireReachable(!isReachable(turn, job), home == null ? job.id() : home);
  }

  /** Whether the host of a job answers. */
  static boolean isReachable(Turn turn, SimJob job) {
    return !job.unreachable()
        && !turn.world()
            .find(job.home(), ResourceType.INSTANCE, turn.now())
            .map(SimResource::unreachable)
            .orElse(false);
  }

  static void requireReachable(boolean unreachable, String id) {
    if (unreachable) {
      throw new BackendException.Transient("the host of %s does not answer".formatted(id), null);
    }
  }

  /** A job that runs now. */
  SimJob requireRunning(Turn turn, String attemptId) {
    SimJob job = require(turn, attemptId);
    if (!(JobEnd.observation(job, turn.now(), Duration.ZERO) instanceof JobObservation.Running)) {
      throw new BackendException.Gone("the job %s does not run".formatted(attemptId), null);
    }
    return job;
  }
}
