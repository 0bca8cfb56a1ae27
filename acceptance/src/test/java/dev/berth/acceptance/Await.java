package dev.berth.acceptance;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for what other processes do: looks, parks, looks again, and gives up loudly. The bound is
 * far beyond what anything takes, because it tells "never" and not "slow".
 */
final class Await {
  static final Duration AT_MOST = Duration.ofMinutes(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private Await() {}

  static void until(String what, BooleanSupplier seen) {
    until(what, seen, () -> "");
  }

  /** Waits, and where it was in vain says what was seen instead. */
  static void until(String what, BooleanSupplier seen, Supplier<String> instead) {
    long deadline = System.nanoTime() + AT_MOST.toNanos();
    while (!seen.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "not seen within " + AT_MOST.toSeconds() + " s: " + what + "\n" + instead.get());
      }
      pause();
    }
  }

  /** Lets a moment go by between two looks, so that others get on. */
  static void pause() {
    LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
  }
}
