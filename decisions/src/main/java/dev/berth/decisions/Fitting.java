package dev.berth.decisions;

import dev.berth.model.Accelerator;
import dev.berth.model.Instance;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether a job fits a machine, and which part of the machine it gets. */
public final class Fitting {
  private Fitting() {}

  /**
   * The share of the free part of a machine that the job gets, or empty where it does not fit now.
   */
  public static Optional<ResourceVector> share(JobSpec.Requirements needs, Instance instance) {
    return share(needs, instance, instance.free());
  }

  /** Whether it would fit the machine if nobody else used it. */
  public static boolean fitsEver(JobSpec.Requirements needs, Instance instance) {
    return share(needs, instance, instance.capacity()).isPresent();
  }

  private static Optional<ResourceVector> share(
      JobSpec.Requirements needs, Instance instance, ResourceVector free) {
    int cpus = orZero(needs.cpus());
    long memory = orZero(needs.memoryMib());
    long disk = orZero(needs.diskMib());
    if (free.slots() < 1
        || free.cpus() < cpus
        || free.memoryMib() < memory
        || free.diskMib() < disk) {
      return Optional.empty();
    }
    Set<String> devices = new TreeSet<>();
    for (Accelerator device : instance.gpus()) {
      if (devices.size() < needs.gpus()
          && free.devices().contains(device.id())
          && matches(needs, device)) {
        devices.add(device.id());
      }
    }
    return devices.size() < needs.gpus()
        ? Optional.empty()
        : Optional.of(new ResourceVector(1, cpus, memory, disk, devices));
  }

  private static boolean matches(JobSpec.Requirements needs, Accelerator device) {
    boolean named =
        needs.gpuNames().isEmpty()
            || needs.gpuNames().stream().anyMatch(name -> name.equalsIgnoreCase(device.name()));
    return named && device.memoryMib() >= orZero(needs.gpuMemoryMib());
  }

  private static int orZero(@Nullable Integer value) {
    return value == null ? 0 : value;
  }

  private static long orZero(@Nullable Long value) {
    return value == null ? 0 : value;
  }
}
