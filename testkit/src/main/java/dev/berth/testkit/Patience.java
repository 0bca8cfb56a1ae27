package dev.berth.testkit;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

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

  /**
   * Lets time pass that a test advances.
   *
   * @param longestReal pauses up to this are waited for; zero for none
   */
  static Patience advancing(Duration longestReal, Consumer<Duration> advance) {
    return new Patience() {
      @Override
      public void pause(Semaphore wake, Duration longest) throws InterruptedException {
        if (longest.compareTo(longestReal) <= 0) {
          real().pause(wake, longest);
        } else {
          advance.accept(longest);
        }
      }

      @Override
      public boolean makesHoursPass() {
        return true;
      }
    };
  }

  /** Whether a long time passes at once, so that checks can look what is left after hours. */
  default boolean makesHoursPass() {
    return false;
  }
}
