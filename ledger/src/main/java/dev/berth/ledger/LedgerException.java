package dev.berth.ledger;

import java.time.Duration;

/** Any failure of the ledger. The message is a sentence for people; the code is for programs. */
public class LedgerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What went wrong. */
  public enum Code {
    /** Someone else took the realm over. See {@link FencedException}. */
    FENCED(false),
    /** See {@link CommitUnknownException}. */
    COMMIT_UNKNOWN(false),
    /** See {@link ConstraintException}. */
    CONSTRAINT(false),
    /** See {@link BadCursorException}. */
    BAD_CURSOR(false),
    /** Another process, or another part of this one, has the database open. */
    IN_USE(false),
    /** Another program held the database's own lock for too long. */
    BUSY(true),
    DISK_FULL(true),
    /** Nothing can be written, until someone changes that or another server takes over. */
    READ_ONLY(true),
    CANNOT_OPEN(false),
    CORRUPTED(false),
    /** A newer version of Berth wrote the database. */
    SCHEMA_NEWER(false),
    /** The file is a database of another program, or its schema was changed by hand. */
    SCHEMA_FOREIGN(false),
    INPUT_OUTPUT(true),
    /** The database's server does not answer. */
    UNREACHABLE(true),
    /** The ledger was closed. */
    CLOSED(false),
    INTERNAL(false);

    private final boolean retryable;

    Code(boolean retryable) {
      this.retryable = retryable;
    }

    /** Whether the same call may succeed later without anyone changing the program. */
    public boolean retryable() {
      return retryable;
    }
  }

  private final Code code;

  public LedgerException(Code code, String message) {
    super(message);
    this.code = code;
  }

  public LedgerException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  static LedgerException busy(Duration waited) {
    return new LedgerException(
        Code.BUSY,
        "The database had no time for the call within "
            + waited.toSeconds()
            + " s, because others before it are not answered either. Nothing was done; try again.");
  }

  static LedgerException closed() {
    return new LedgerException(Code.CLOSED, "The ledger is closed.");
  }

  public Code code() {
    return code;
  }
}
