package dev.berth.hosts.container;

import dev.berth.hosts.docker.EngineException;
import dev.berth.hosts.jobdir.JobDirectory;
import dev.berth.hosts.jobdir.JobOutput;
import dev.berth.hosts.jobdir.Observation.State;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Whether jobs in containers are over, for those who read their output many times a second. What
 * the files do not say the engine does, and it is asked once a second for each job at most; while
 * it does not answer nothing is over, and what was written can be read. Any thread may use it.
 */
final class ContainerEnds {
  private static final System.Logger LOGGER = System.getLogger(ContainerEnds.class.getName());
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final Function<String, State> states;
  private final InstantSource clock;
  private final Map<String, Look> looks = new ConcurrentHashMap<>();

  private record Look(Instant at, boolean over) {
    boolean isFresh(Instant now) {
      return !now.isBefore(at) && now.isBefore(at.plus(BETWEEN_LOOKS));
    }
  }

  ContainerEnds(Function<String, State> states, InstantSource clock) {
    this.states = states;
    this.clock = clock;
  }

  boolean isOver(String attemptId, JobDirectory directory) {
    if (directory.exit().isPresent()) {
      // No engine is asked about such a job.
      looks.remove(attemptId);
      return JobOutput.isOver(states.apply(attemptId));
    }
    Instant now = clock.instant();
    Look last = looks.get(attemptId);
    if (last != null && last.isFresh(now)) {
      return last.over();
    }
    // Before the answer, so that others do not ask too, and so that silence counts.
    looks.put(attemptId, new Look(now, false));
    boolean over = ask(attemptId);
    looks.put(attemptId, new Look(now, over));
    return over;
  }

  private boolean ask(String attemptId) {
    try {
      return JobOutput.isOver(states.apply(attemptId));
    } catch (EngineException failure) {
      LOGGER.log(System.Logger.Level.DEBUG, "Whether a job is over is not known", failure);
      return false;
    }
  }

  void forget(String attemptId) {
    looks.remove(attemptId);
  }
}
