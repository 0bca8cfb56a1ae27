package dev.berth.simulation;

import java.time.Duration;

/** The power is cut in the middle of a step. */
final class Crashed extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Duration downFor;

  Crashed(Duration downFor) {
    this.downFor = downFor;
  }

  /** How long it takes until a server is there again. */
  Duration downFor() {
    return downFor;
  }
}
