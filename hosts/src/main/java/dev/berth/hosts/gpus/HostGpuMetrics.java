package dev.berth.hosts.gpus;

import dev.berth.model.JobObservation;
import dev.berth.spi.BackendException;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.JobRuntime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How busy the accelerators of this machine are that jobs have, by the tools of their vendors. */
public record HostGpuMetrics(JobRuntime runtime, GpuInventory gpus) implements GpuMetrics {
  private static final System.Logger LOGGER = System.getLogger(HostGpuMetrics.class.getName());

  @Override
  public Map<String, List<Integer>> utilisation(List<Holder> jobs) {
    List<Holder> running = running(jobs);
    Map<String, Integer> use = measure(running);
    Map<String, List<Integer>> told = new LinkedHashMap<>();
    for (Holder job : running) {
      List<String> devices = job.devices().stream().sorted().toList();
      List<Integer> percents =
          devices.stream()
              .flatMap(device -> Optional.ofNullable(use.get(device)).stream())
              .toList();
      if (percents.size() == devices.size()) {
        told.put(job.attemptId(), percents);
      }
    }
    return told;
  }

  /** Those that run and have accelerators. */
  private List<Holder> running(List<Holder> jobs) {
    List<Holder> holding = jobs.stream().filter(job -> !job.devices().isEmpty()).toList();
    List<JobObservation> seen = runtime.observe(holding.stream().map(Holder::attemptId).toList());
    List<Holder> running = new ArrayList<>();
    for (int i = 0; i < holding.size(); i++) {
      if (seen.get(i) instanceof JobObservation.Running) {
        running.add(holding.get(i));
      }
    }
    return running;
  }

  /** Asks only the tools of the vendors whose accelerators somebody has. */
  private Map<String, Integer> measure(List<Holder> running) {
    Set<String> wanted = new HashSet<>();
    running.forEach(job -> wanted.addAll(job.devices()));
    List<Vendor> vendors =
        gpus.seen().stream()
            .filter(gpu -> wanted.contains(gpu.id()) && gpu.isMeasurable())
            .map(Gpu::vendor)
            .distinct()
            .toList();
    Map<String, Integer> use = new HashMap<>();
    @Nullable BackendException failure = null;
    for (Vendor vendor : vendors) {
      try {
        use.putAll(gpus.measure(vendor));
      } catch (BackendException.Transient e) {
        // The accelerators of another vendor may be seen all the same.
        LOGGER.log(System.Logger.Level.DEBUG, "The GPUs of a vendor could not be seen", e);
        failure = e;
      }
    }
    if (failure != null && use.isEmpty()) {
      throw failure;
    }
    return use;
  }
}
