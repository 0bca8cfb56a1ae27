package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Operation;
import dev.berth.model.JobObservation;
import dev.berth.spi.JobUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What jobs of the simulated cloud use: one processor each, and always the same memory. */
record SimUsage(SimCloud cloud, OwnJobs own) {
  private static final long MEMORY_BYTES = 64L << 20;

  Map<String, JobUsage> of(List<String> attemptIds) {
    return cloud.call(
        Operation.USAGE,
        String.join(",", attemptIds),
        turn -> {
          Map<String, JobUsage> measured = new LinkedHashMap<>();
          attemptIds.forEach(
              id ->
                  own.find(turn, id)
                      .filter(job -> OwnJobs.isReachable(turn, job))
                      .flatMap(job -> measure(turn, job))
                      .ifPresent(usage -> measured.put(id, usage)));
          return measured;
        },
        Map::toString);
  }

  private Optional<JobUsage> measure(Turn turn, SimJob job) {
    Instant start = job.course().startAt();
    if (start == null
        || !(JobEnd.observation(job, turn.now(), Duration.ZERO)
            instanceof JobObservation.Running)) {
      return Optional.empty();
    }
    return Optional.of(
        new JobUsage(
            turn.now().plus(cloud.skew()),
            Duration.between(start, turn.now()),
            MEMORY_BYTES,
            null));
  }
}
