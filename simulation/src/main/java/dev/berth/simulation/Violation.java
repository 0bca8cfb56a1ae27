package dev.berth.simulation;

/** Something happened that must never happen. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String invariant;

  public Violation(String invariant, String message) {
    super(message);
    this.invariant = invariant;
  }

  public Violation(String invariant, String message, Throwable cause) {
    super(message, cause);
    this.invariant = invariant;
  }

  /** The name of the invariant that does not hold. */
  public String invariant() {
    return invariant;
  }
}
