package dev.berth.testkit;

/** A check that has nothing to look at, with the reason. */
public final class NotApplicable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotApplicable(String reason) {
    super(reason);
  }
}
