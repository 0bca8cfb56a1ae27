package dev.berth.hosts.gpus;

/** A vendor's tool printed something that is not known to us. */
final class UnreadableOutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableOutputException(String message) {
    super(message);
  }

  UnreadableOutputException(String message, Throwable cause) {
    super(message, cause);
  }
}
