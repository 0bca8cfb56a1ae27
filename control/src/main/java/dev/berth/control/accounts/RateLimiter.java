package dev.berth.control.accounts;

import java.time.Duration;
import java.time.Instant;

/**
 * Times at which calls may be made: so many in a second on average, and so many at once after a
 * rest (the generic cell rate algorithm). Knows no clock. Not safe for threads.
 */
final class RateLimiter {
  private static final double NANOS = 1e9;

  private final Duration interval;

  /** How much earlier than on average a call may be. */
  private final Duration tolerance;

  /** When the next call would be made if all kept the interval. */
  private Instant onAverage = Instant.EPOCH;

  RateLimiter(double perSecond, int burst) {
    this.interval = Duration.ofNanos((long) (NANOS / perSecond));
    this.tolerance = interval.multipliedBy(burst - 1L);
  }

  /** When the next call may be made; not before now. */
  Instant next(Instant now) {
    Instant earliest = onAverage.minus(tolerance);
    return earliest.isAfter(now) ? earliest : now;
  }

  /** Counts a call at a time. */
  void take(Instant at) {
    onAverage = (onAverage.isAfter(at) ? onAverage : at).plus(interval);
  }

  /** No call before a time, and no more than one at it. */
  void closeUntil(Instant time) {
    Instant resumed = time.plus(tolerance);
    onAverage = onAverage.isAfter(resumed) ? onAverage : resumed;
  }

  /** As if no call had been made. */
  void forget() {
    onAverage = Instant.EPOCH;
  }
}
