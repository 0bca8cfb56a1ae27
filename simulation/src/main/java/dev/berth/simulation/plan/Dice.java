package dev.berth.simulation.plan;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Chance that begins with a seed: the same seed, the same throws. */
public final class Dice {
  private final SplittableRandom random;

  public Dice(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Dice of their own for one purpose, so that more throws there move nothing elsewhere. */
  public static Dice of(long seed, String purpose) {
    return new Dice(seed * 0x9E3779B97F4A7C15L ^ purpose.hashCode());
  }

  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** A number from the first to the last, both included. */
  public int between(int first, int last) {
    return random.nextInt(first, last + 1);
  }

  /** A time between two, in whole milliseconds. */
  public Duration between(Duration least, Duration most) {
    return Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis() + 1));
  }

  /** A time up to the most, of which half are less than a hundredth of it. */
  public Duration mostlyShort(Duration most) {
    return chance(0.5) ? between(Duration.ZERO, most.dividedBy(100)) : between(Duration.ZERO, most);
  }

  public double share(double least, double most) {
    return random.nextDouble(least, most);
  }

  public <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  public long next() {
    return random.nextLong();
  }
}
