package dev.berth.catalog.index;

import java.security.SecureRandom;
import java.util.Random;

/** Where random content and questions come from; {@code -Dberth.seed=N} repeats it. */
final class Seed {
  private Seed() {}

  static Random random(String what) {
    Long given = Long.getLong("berth.seed");
    long seed = given == null ? new SecureRandom().nextLong() : given;
    System.out.println("seed of " + what + ": " + seed + " (repeat with -Dberth.seed)");
    return new Random(seed);
  }
}
