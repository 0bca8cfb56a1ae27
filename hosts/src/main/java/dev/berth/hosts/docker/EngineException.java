package dev.berth.hosts.docker;

import org.jspecify.annotations.Nullable;

/** What an engine refused, in its own words, or that it did not answer. */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Instead of a status where there was no answer. */
  public static final int NO_ANSWER = 0;

  /** The same where nobody listens. */
  static final int NOBODY = -1;

  /** Where the answer has more than we take. */
  public static final int TOO_LARGE = 413;

  private final int status;

  EngineException(int status, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** The HTTP status of the answer; {@link #NO_ANSWER} or less where there was none. */
  public int status() {
    return status;
  }

  public boolean isAbsent() {
    return status == 404;
  }

  public boolean isConflict() {
    // Podman says so by its words alone.
    return status == 409 || words().contains("name is already in use");
  }

  /** Whether there was no answer, so that what was asked for may have happened. */
  public boolean isSilence() {
    return status <= NO_ANSWER;
  }

  /** Whether no engine listens: it was stopped, or died. */
  public boolean isUnreachable() {
    return status == NOBODY;
  }

  /** The engine's words; never null. */
  public String words() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
