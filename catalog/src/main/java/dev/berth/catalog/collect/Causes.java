package dev.berth.catalog.collect;

/** What an exception says to a user. */
final class Causes {
  private Causes() {}

  static String sentence(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }
}
