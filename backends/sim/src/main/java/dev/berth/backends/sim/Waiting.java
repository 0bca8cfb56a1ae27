package dev.berth.backends.sim;

import dev.berth.spi.BackendException;
import java.time.Duration;

/** How the simulated cloud lets time pass while a call is on its way. */
public interface Waiting {
  void pause(Duration time);

  /** Waits as long as it says. */
  static Waiting real() {
    return time -> {
      try {
        Thread.sleep(time);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new BackendException.Transient(
            "the call was interrupted before its answer came", interrupted);
      }
    };
  }

  /** Waits for nothing, for whoever moves the clock himself. */
  static Waiting none() {
    return _ -> {};
  }
}
