package dev.berth.control;

import java.time.Duration;
import java.time.Instant;

/**
 * When something that a provider does not show counts as gone: reads of many providers lag, so what
 * was made a moment ago may not be shown yet, and one look that finds nothing proves nothing.
 *
 * @param visibleWithin how long after it was made something may be missing
 */
record Absence(Duration visibleWithin) {
  /** So many looks in a row must have found nothing. */
  private static final int LOOKS = 2;

  /**
   * Whether it counts as gone.
   *
   * @param looks how many looks in a row found nothing
   * @param madeBy when it had been made at the latest
   */
  boolean isCertain(int looks, Instant madeBy, Instant now) {
    return looks >= LOOKS && !now.isBefore(visibleAt(madeBy));
  }

  /** From when on it must be shown. */
  Instant visibleAt(Instant madeBy) {
    return madeBy.plus(visibleWithin);
  }
}
