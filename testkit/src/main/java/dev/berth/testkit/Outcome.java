package dev.berth.testkit;

/** How a check ended. */
public sealed interface Outcome {
  record Passed() implements Outcome {}

  /** The backend says that it has not what the check is about, and refuses it as it should. */
  record Refused() implements Outcome {}

  record NotNeeded(String reason) implements Outcome {}

  /** It failed as it is known to. */
  record Deviated(String message, String reason) implements Outcome {}

  record Failed(String message) implements Outcome {}

  /** One word for JSON and tables. */
  default String word() {
    return switch (this) {
      case Passed _ -> "passed";
      case Refused _ -> "refused-as-declared";
      case NotNeeded _ -> "not-applicable";
      case Deviated _ -> "known-deviation";
      case Failed _ -> "failed";
    };
  }

  /** What there is to say besides the word; empty where there is nothing. */
  default String detail() {
    return switch (this) {
      case Passed _, Refused _ -> "";
      case NotNeeded(String reason) -> reason;
      case Deviated(String message, String reason) -> message + " (known: " + reason + ")";
      case Failed(String message) -> message;
    };
  }
}
