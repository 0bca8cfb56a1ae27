package dev.berth.server;

/** Closes what servers write to each other, so that nobody else who reads it learns anything. */
interface Seal {
  /**
   * Closes a text.
   *
   * @param about what it belongs to; it opens only together with the same
   */
  String close(String about, byte[] content);

  /** Opens what was closed. */
  byte[] open(String about, String closed);
}
