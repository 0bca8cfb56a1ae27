package dev.berth.model.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accelerators that a job needs; any of the names will do. */
public record GpuSpec(
    @Nullable AcceleratorVendor vendor,
    List<String> name,
    Range<Integer> count,
    @Nullable Range<Size> memory,
    @Nullable Range<Size> totalMemory,
    @Nullable ComputeCapability computeCapability) {
  public GpuSpec {
    name = List.copyOf(name);
  }
}
