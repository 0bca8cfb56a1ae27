package dev.berth.client;

import org.jspecify.annotations.Nullable;

/** An answer that is not what a server of Berth sends. */
public final class MalformedAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedAnswerException(String why, @Nullable Throwable cause) {
    super("the server's answer cannot be read: " + why, cause);
  }
}
