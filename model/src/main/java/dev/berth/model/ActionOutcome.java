package dev.berth.model;

import java.time.Instant;

/** How an action went. */
public sealed interface ActionOutcome {
  record Done(Instant at) implements ActionOutcome {}

  /**
   * It did not work.
   *
   * @param transientFailure whether the same may work later
   */
  record Failed(String message, boolean transientFailure) implements ActionOutcome {}

  /** Nobody is there who could do it: its backend is not installed, or not open. */
  record Parked(String message) implements ActionOutcome {}
}
