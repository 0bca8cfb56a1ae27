package dev.berth.spi;

/** How Berth gets to the jobs of a backend. */
public enum Reach {
  /** Through the provider's own interface. */
  ENGINE,
  /** We dial in to the machine. */
  SSH,
  /**
   * Each machine is a folder on the server's own machine, which its address names. For simulated
   * clouds.
   */
  FOLDER,
  /** The job calls the server's public address. */
  CALLBACK
}
