package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.GpuLoad;
import dev.berth.backends.sim.scenario.InstanceType;
import dev.berth.backends.sim.scenario.Operation;
import dev.berth.model.JobObservation;
import dev.berth.spi.GpuMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** How busy the accelerators of the simulated cloud are: all of a job as its scenario says. */
record SimGpuMetrics(SimCloud cloud, OwnJobs own) implements GpuMetrics {
  @Override
  public Map<String, List<Integer>> utilisation(List<Holder> jobs) {
    return cloud.call(
        Operation.GPU_METRICS,
        jobs.stream().map(Holder::attemptId).collect(Collectors.joining(",")),
        turn -> {
          Map<String, List<Integer>> measured = new LinkedHashMap<>();
          jobs.forEach(
              job ->
                  own.find(turn, job.attemptId())
                      .filter(found -> OwnJobs.isReachable(turn, found))
                      .flatMap(found -> measure(turn, found, job.devices().size()))
                      .ifPresent(percents -> measured.put(job.attemptId(), percents)));
          return measured;
        },
        Map::toString);
  }

  private static Optional<List<Integer>> measure(Turn turn, SimJob job, int devices) {
    Instant start = job.course().startAt();
    int gpus = devices > 0 ? devices : gpus(turn, job);
    if (start == null
        || gpus == 0
        || !(JobEnd.observation(job, turn.now(), Duration.ZERO)
            instanceof JobObservation.Running)) {
      return Optional.empty();
    }
    GpuLoad load = turn.scenario().load();
    return Optional.of(
        Collections.nCopies(gpus, load.percentAfter(Duration.between(start, turn.now()))));
  }

  private static int gpus(Turn turn, SimJob job) {
    return Optional.ofNullable(job.site().instanceType())
        .flatMap(turn.scenario()::instanceType)
        .map(InstanceType::gpus)
        .orElse(0);
  }
}
