package dev.berth.catalog.read;

import java.util.Map;
import java.util.Optional;

/**
 * The machines behind slices of TPUs that are one machine; price lists do not tell them. Larger
 * slices are many machines and so no offer of one.
 */
final class TpuSlices {
  private static final Map<String, Slice> SLICES =
      Map.of(
          "v2-8", new Slice(96, 334, 64),
          "v3-8", new Slice(96, 334, 128),
          "v5litepod-1", new Slice(24, 48, 16),
          "v5litepod-4", new Slice(112, 192, 64),
          "v5litepod-8", new Slice(224, 384, 128),
          "v5p-8", new Slice(208, 448, 95),
          "v6e-1", new Slice(44, 176, 32),
          "v6e-4", new Slice(180, 720, 128),
          "v6e-8", new Slice(180, 1440, 256));

  private TpuSlices() {}

  /** A machine with its TPUs; sizes in GiB. */
  record Slice(int cpus, int memoryGib, int acceleratorGib) {}

  static Optional<Slice> find(String canonicalName) {
    return Optional.ofNullable(SLICES.get(canonicalName));
  }
}
