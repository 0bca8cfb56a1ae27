package dev.berth.server;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what no event tells of: the work that follows an answer. */
final class Await {
  private static final long AT_MOST_NANOS = 60_000_000_000L;
  private static final long PAUSE_NANOS = 20_000_000L;

  private Await() {}

  static void until(BooleanSupplier wanted) {
    long deadline = System.nanoTime() + AT_MOST_NANOS;
    while (!wanted.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it did not happen");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
