package dev.berth.model.offers;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a model of accelerators.
 *
 * @param memoryGib the sizes in which it is sold; none for a TPU, whose slices differ
 * @param computeCapability of NVIDIA's
 * @param architecture of the others, where it has a name
 */
public record Accelerator(
    AcceleratorVendor vendor,
    String name,
    List<Integer> memoryGib,
    @Nullable ComputeCapability computeCapability,
    @Nullable String architecture,
    List<String> aliases) {
  public Accelerator {
    memoryGib = List.copyOf(memoryGib);
    aliases = List.copyOf(aliases);
  }
}
