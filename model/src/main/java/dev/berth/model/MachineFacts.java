package dev.berth.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a machine says of itself when Berth has connected to it. What is null is as the offer says.
 *
 * @param engine what runs containers there; null where jobs are processes
 */
public record MachineFacts(
    @Nullable Integer cpus,
    @Nullable Long memoryMib,
    @Nullable Long diskMib,
    @Nullable List<Accelerator> gpus,
    Instance.@Nullable Engine engine) {
  /** A machine that has what was offered, and runs jobs as processes. */
  public static final MachineFacts AS_OFFERED = new MachineFacts(null, null, null, null);

  /** A machine that runs jobs as processes. */
  public MachineFacts(
      @Nullable Integer cpus,
      @Nullable Long memoryMib,
      @Nullable Long diskMib,
      @Nullable List<Accelerator> gpus) {
    this(cpus, memoryMib, diskMib, gpus, null);
  }

  public MachineFacts {
    gpus = gpus == null ? null : List.copyOf(gpus);
  }
}
