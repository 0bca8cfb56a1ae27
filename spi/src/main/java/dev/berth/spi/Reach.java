package dev.berth.spi;

/** How Berth gets to the jobs of a backend. */
public enum Reach {
  /** Through the provider's own interface. */
  ENGINE,
  /** We dial in to the machine. */
  SSH,
  /** The job calls the server's public address. */
  CALLBACK
}
