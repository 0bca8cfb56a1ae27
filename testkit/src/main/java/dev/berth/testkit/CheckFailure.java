package dev.berth.testkit;

import org.jspecify.annotations.Nullable;

/** Something that a check found wrong, in a sentence that tells an author what to do. */
public final class CheckFailure extends AssertionError {
  private static final long serialVersionUID = 1L;

  public CheckFailure(String message) {
    super(message);
  }

  public CheckFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
