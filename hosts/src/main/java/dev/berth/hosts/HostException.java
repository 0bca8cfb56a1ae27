package dev.berth.hosts;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says in one sentence why something could not be done on a host. */
public final class HostException extends RuntimeException {
  /** What kind of failure it is, for whoever decides what to do next. */
  public enum Code {
    /**
     * The request itself is wrong: an id, a variable's name, a path. Trying again does not help.
     */
    INVALID,
    /** There is no such job directory. */
    ABSENT,
    /** The machine lacks a command that running jobs needs. */
    MISSING_TOOL,
    /** A file to copy into the job is missing, unreadable, or cannot be written at its target. */
    INPUT,
    /**
     * The disk or the process table refused: full, read-only, not permitted. Trying again may help.
     */
    MACHINE,
    /**
     * The machine does not let our user do that. It may later, when somebody changes its rights.
     */
    DENIED,
    /** Processes of a job are left that cannot be killed. */
    NOT_KILLED
  }

  private final Code code;

  public HostException(Code code, String message) {
    this(code, message, null);
  }

  public HostException(Code code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = Objects.requireNonNull(code);
  }

  public Code code() {
    return code;
  }

  /** Whether it is about the machine and not the request, so that it may be tried again. */
  public boolean mayPass() {
    return code == Code.MACHINE || code == Code.DENIED;
  }
}
