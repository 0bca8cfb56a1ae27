package dev.berth.client.files;

import org.jspecify.annotations.Nullable;

/** Files that cannot be packed, with a sentence for the user. */
public final class PackingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PackingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
