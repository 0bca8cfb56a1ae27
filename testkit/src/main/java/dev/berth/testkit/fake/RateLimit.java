package dev.berth.testkit.fake;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** How many calls a provider takes within a sliding window. Refused calls do not count. */
final class RateLimit {
  private final int calls;
  private final Duration window;
  private final Deque<Instant> taken = new ArrayDeque<>();

  RateLimit(int calls, Duration window) {
    if (calls < 1 || !window.isPositive()) {
      throw new IllegalArgumentException("a limit takes at least one call, in a time");
    }
    this.calls = calls;
    this.window = window;
  }

  /**
   * Counts a call.
   *
   * @throws FakeRefusal 429 where it is one too many
   */
  synchronized void count(Instant now) {
    while (!taken.isEmpty() && !taken.getFirst().plus(window).isAfter(now)) {
      taken.removeFirst();
    }
    if (taken.size() == calls) {
      throw FakeRefusal.tooMany(Duration.between(now, taken.getFirst().plus(window)));
    }
    taken.addLast(now);
  }
}
