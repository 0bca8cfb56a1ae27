package dev.berth.spi;

import org.jspecify.annotations.Nullable;

/** What a backend cannot do, with a sentence for the user. */
public final class BackendException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** Who or what is at fault. */
  public enum Kind {
    /** The request can never work as it is. */
    REFUSED,
    /** There is no such thing. */
    GONE,
    /** It may work later. */
    TRANSIENT
  }

  public BackendException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  public boolean isTransient() {
    return kind == Kind.TRANSIENT;
  }
}
