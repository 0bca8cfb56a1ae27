package dev.berth.decisions;

/** What whoever sent a message is told. */
public sealed interface Reply {
  /** Done, or under way; names the run, or whatever else, that it is about. */
  record Accepted(String runId, String name) implements Reply {}

  /** Not done, and why. */
  record Refused(Code code, String message) implements Reply {}

  /** Nobody waits for this one. */
  record None() implements Reply {}

  enum Code {
    NAME_TAKEN,
    NOT_FOUND,
    NOT_FINISHED,
    KEY_REUSED,
    NOT_SUPPORTED,
    /** There must be one, and it is the last. */
    LAST_ONE,
    NOT_ALLOWED,
    /** As many as may be are there; later there may be room. */
    TOO_MANY
  }
}
