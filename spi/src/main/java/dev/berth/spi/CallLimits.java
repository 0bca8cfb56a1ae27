package dev.berth.spi;

/**
 * How much a provider takes of one account.
 *
 * @param concurrent calls at one time
 * @param perSecond calls on average
 */
public record CallLimits(int concurrent, double perSecond) {
  /** For providers that state none. */
  public static final CallLimits USUAL = new CallLimits(16, 20);

  public CallLimits {
    if (concurrent < 1 || !(perSecond > 0)) {
      throw new IllegalArgumentException("limits are larger than nothing");
    }
  }
}
