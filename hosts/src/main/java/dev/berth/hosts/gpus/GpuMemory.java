package dev.berth.hosts.gpus;

import java.util.Arrays;

/**
 * The memory of accelerators as it is sold.
 *
 * <p>Tools report what is left of it: an RTX 4090 has 24564 MiB and an L40S 46068. Whoever writes
 * {@code gpu: 24GB} means what is printed on the box, which is also what catalogs contain.
 */
final class GpuMemory {
  /** Error correction takes a sixteenth, and firmware some more: 7613 MiB of a Tesla M60's 8192. */
  private static final double LARGEST_LOSS = 0.08;

  private static final int[] SOLD_GIB = {
    2, 3, 4, 6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 72, 80, 94, 96, 128, 141, 144, 180, 192,
    256, 270, 288
  };

  private GpuMemory() {}

  /**
   * The next size that is sold, where it is near enough to be meant; otherwise what is reported.
   */
  static long soldMib(long reportedMib) {
    return Arrays.stream(SOLD_GIB)
        .mapToLong(gib -> gib * 1024L)
        .filter(mib -> mib >= reportedMib)
        .findFirst()
        .stream()
        .filter(mib -> reportedMib >= mib * (1 - LARGEST_LOSS))
        .findFirst()
        .orElse(reportedMib);
  }
}
