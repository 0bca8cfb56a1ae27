package dev.berth.backends.sim;

import java.util.SplittableRandom;

/**
 * All randomness of a simulated cloud: a number for each purpose and count, which depends on
 * nothing but the seed. There is no state, so that what one call draws does not depend on others.
 */
record Chance(long seed) {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** A number from 0 (included) to 1 (not included). */
  double of(String purpose, long count) {
    return new SplittableRandom(seed ^ (purpose.hashCode() * GOLDEN) ^ Long.rotateLeft(count, 32))
        .nextDouble();
  }
}
