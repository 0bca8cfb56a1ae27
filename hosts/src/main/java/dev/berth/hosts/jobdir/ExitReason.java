package dev.berth.hosts.jobdir;

import java.util.Locale;
import java.util.Optional;

/** Why a job is no longer running. */
public enum ExitReason {
  /** It ended by itself; the exit code says how. */
  EXITED,
  /** It ran longer than it may. */
  MAX_DURATION_EXCEEDED,
  /** Somebody asked for it to stop. */
  STOPPED,
  /** Somebody asked for it to be killed at once. */
  KILLED,
  /** It needed more memory than it may use. */
  OUT_OF_MEMORY,
  /** It never ran; the detail says why. */
  START_FAILED;

  /** The word that stands for this reason in the files of a job directory. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ExitReason> find(String word) {
    for (ExitReason reason : values()) {
      if (reason.word().equals(word)) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }
}
