package dev.berth.control.offers;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Offers and areas that could not be had lately. Guarded by the lock of its cache. */
final class RecentFailures {
  /**
   * What could not be had is not tried by others for so long. Longer than the first pause of a
   * fleet, which would otherwise try the same offer again and never the next.
   */
  private static final Duration FORGET_OFFERS_AFTER = Duration.ofSeconds(90);

  /** Longer, because a fleet's first pauses are long, and it shall go elsewhere then. */
  private static final Duration FORGET_AREAS_AFTER = Duration.ofMinutes(10);

  /** With when each is forgotten. */
  private final Map<String, Instant> failures = new HashMap<>();

  void offer(String key, Instant now) {
    note(key, now, FORGET_OFFERS_AFTER);
  }

  void area(String key, Instant now) {
    note(key, now, FORGET_AREAS_AFTER);
  }

  private void note(String key, Instant now, Duration forgetAfter) {
    failures.put(key, now.plus(forgetAfter));
  }

  /** Those that are not forgotten. */
  Map<String, Instant> current(Instant now) {
    failures.values().removeIf(until -> until.isBefore(now));
    return Map.copyOf(failures);
  }
}
