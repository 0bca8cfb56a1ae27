package dev.berth.catalog.read;

/** The largest figures that are believed. */
final class Figures {
  static final double MOST_PRICE = 1_000_000;
  static final double MOST_CPUS = 100_000;
  static final double MOST_GIB = 1_000_000_000;
  static final double MOST_ACCELERATORS = 100_000;

  private Figures() {}

  static long mib(double gib) {
    return Math.round(gib * 1024);
  }
}
