package dev.berth.spi;

/**
 * The sizes from which the disk of a machine is chosen when the machine is created.
 *
 * @param minMib the smallest; Berth asks for it unless a job needs more
 * @param maxMib the largest
 * @param pricePerGib in US dollars an hour for each GiB, which the price of the offer does not
 *     contain; 0 where it does
 */
public record DiskChoice(long minMib, long maxMib, double pricePerGib) {
  private static final double MIB_PER_GIB = 1024;

  public DiskChoice {
    if (minMib < 1 || maxMib < minMib) {
      throw new IllegalArgumentException(
          "a disk has at least 1 MiB, and the largest is not below the smallest");
    }
    if (!Double.isFinite(pricePerGib) || pricePerGib < 0) {
      throw new IllegalArgumentException("the price of a disk is not negative: " + pricePerGib);
    }
  }

  /** What a disk of a size costs, in US dollars an hour. */
  public double price(long sizeMib) {
    return sizeMib / MIB_PER_GIB * pricePerGib;
  }
}
