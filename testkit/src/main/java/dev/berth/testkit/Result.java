package dev.berth.testkit;

/** A check and how it ended. */
public record Result(Check check, Outcome outcome) {
  public boolean isFailed() {
    return outcome instanceof Outcome.Failed;
  }
}
