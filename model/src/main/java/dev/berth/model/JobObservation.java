package dev.berth.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a backend says of a job, at one moment. */
public sealed interface JobObservation {
  /** It is made ready and has not started. */
  record Prepared() implements JobObservation {}

  /**
   * It runs.
   *
   * @param warnings a sentence for each thing that was asked for and that it runs without
   * @param interruptedAt when the provider will take its place back, if it said so
   */
  record Running(Instant startedAt, List<String> warnings, @Nullable Instant interruptedAt)
      implements JobObservation {
    public Running {
      warnings = List.copyOf(warnings);
    }

    /** Nobody said that it will be interrupted. */
    public Running(Instant startedAt, List<String> warnings) {
      this(startedAt, warnings, null);
    }

    /** It has all that was asked for. */
    public Running(Instant startedAt) {
      this(startedAt, List.of());
    }
  }

  /**
   * It ended and nothing of it is left.
   *
   * @param code its own exit code, 128+n for signal n; null when it never ran
   * @param detail a sentence where there is more to say, otherwise empty
   * @param warnings as of a job that runs
   */
  record Exited(
      @Nullable Integer code,
      Cause cause,
      String detail,
      @Nullable Instant startedAt,
      Instant endedAt,
      List<String> warnings)
      implements JobObservation {
    public Exited {
      warnings = List.copyOf(warnings);
    }

    /** It had all that was asked for. */
    public Exited(
        @Nullable Integer code,
        Cause cause,
        String detail,
        @Nullable Instant startedAt,
        Instant endedAt) {
      this(code, cause, detail, startedAt, endedAt, List.of());
    }
  }

  /** Whoever ran it is gone without a word; processes may be left. */
  record Lost(String detail) implements JobObservation {}

  /** The backend does not know it. */
  record Absent() implements JobObservation {}

  /** Why a job ended. */
  enum Cause {
    EXITED,
    MAX_DURATION_EXCEEDED,
    STOPPED,
    KILLED,
    OUT_OF_MEMORY,
    /** The provider took the machine back. */
    INTERRUPTED,
    START_FAILED
  }
}
