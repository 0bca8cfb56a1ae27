package dev.berth.spi;

/** How Berth gets to the jobs of a backend. */
public enum Reach {
  /** Through the provider's own interface. */
  ENGINE,
  /** We dial in to the machine. */
  SSH,
  /**
   * Each machine is a folder on the server's own machine, which its address names: {@code folder:}
   * and the absolute path. The folder holds a folder {@code home}, and a file {@code machine-id}
   * with the provider's id of the machine; others are not used. For simulated clouds.
   */
  FOLDER,
  /** The job calls the server's public address. */
  CALLBACK
}
