package dev.berth.testkit;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** How the kit waits between two looks at a provider. */
@FunctionalInterface
public interface Patience {
  /**
   * Waits until something may have changed, and at most so long.
   *
   * @param wake gets a permit where a backend tells of a change
   */
  void pause(Semaphore wake, Duration longest) throws InterruptedException;

  /** Waits in real time. */
  static Patience real() {
    return (wake, longest) -> {
      if (wake.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS)) {
        wake.drainPermits();
      }
    };
  }
}
