package dev.berth.model;

import java.util.Optional;

/**
 * A disk of which the size is chosen with the machine.
 *
 * @param minMib the smallest that can be had
 * @param maxMib the largest
 * @param pricePerGib in US dollars an hour, on top of the price of the offer
 * @param sizeMib the chosen size
 */
public record DiskOption(long minMib, long maxMib, double pricePerGib, long sizeMib) {
  private static final double MIB_PER_GIB = 1024;

  public DiskOption {
    if (minMib < 1 || sizeMib < minMib || maxMib < sizeMib) {
      throw new IllegalArgumentException(
          "a disk of %d MiB is not within %d and %d".formatted(sizeMib, minMib, maxMib));
    }
  }

  /** Of the smallest size. */
  public static DiskOption smallest(long minMib, long maxMib, double pricePerGib) {
    return new DiskOption(minMib, maxMib, pricePerGib, minMib);
  }

  /** As large as asked for; the nearest size where that cannot be had. */
  public DiskOption atLeast(Optional<Long> least) {
    long size = Math.clamp(least.orElse(minMib), minMib, maxMib);
    return size == sizeMib ? this : new DiskOption(minMib, maxMib, pricePerGib, size);
  }

  /** What it costs, in US dollars an hour. */
  public double price() {
    return sizeMib / MIB_PER_GIB * pricePerGib;
  }
}
