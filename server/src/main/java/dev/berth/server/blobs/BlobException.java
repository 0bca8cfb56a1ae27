package dev.berth.server.blobs;

import org.jspecify.annotations.Nullable;

/** A store of blobs that did not do what it was asked for. */
public final class BlobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Code {
    /** The store does not answer, or its folder is not there. */
    AWAY(true),
    /** There is no room left. */
    FULL(true),
    /** The store does not accept who we are, or does not let us. */
    REFUSED(false),
    /** The bucket is not there. */
    NO_BUCKET(false),
    /** There is no such blob. */
    GONE(false),
    /** The bytes are not those that their name says. */
    WRONG_CONTENT(false),
    /** More bytes than a blob may have. */
    TOO_LARGE(false),
    /** Whoever sends the bytes stopped sending them. */
    CUT_OFF(true),
    /** The store belongs to another installation, or its settings are wrong. */
    CANNOT_OPEN(false);

    private final boolean retryable;

    Code(boolean retryable) {
      this.retryable = retryable;
    }

    /** Whether the same may go well later. */
    public boolean retryable() {
      return retryable;
    }
  }

  private final Code code;

  public BlobException(Code code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
