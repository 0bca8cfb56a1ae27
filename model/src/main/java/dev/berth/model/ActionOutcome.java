package dev.berth.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How an action went. */
public sealed interface ActionOutcome {
  record Done(Instant at) implements ActionOutcome {}

  /**
   * It did not work.
   *
   * @param transientFailure whether the same may work later
   * @param noCapacity whether the place is sold out, so that another one may do
   * @param delay how long not to ask again; null for the usual time
   */
  record Failed(
      String message, boolean transientFailure, boolean noCapacity, @Nullable Duration delay)
      implements ActionOutcome {
    public Failed(String message, boolean transientFailure) {
      this(message, transientFailure, false, null);
    }
  }

  /** Nobody is there who could do it: its backend is not installed, or not open. */
  record Parked(String message) implements ActionOutcome {}
}
