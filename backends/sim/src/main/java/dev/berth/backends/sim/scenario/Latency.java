package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import java.time.Duration;

/** How long a call takes: something between two times. */
public record Latency(
    @Setting(value = "The shortest time.", fallback = "0s") Duration min,
    @Setting("The longest time.") Duration max) {
  public Latency {
    if (max.compareTo(min) < 0) {
      throw new IllegalArgumentException("has a 'max' that is less than its 'min'");
    }
  }

  /** The time at a share of the way from the least to the most. */
  public Duration at(double share) {
    return min.plusNanos((long) (max.minus(min).toNanos() * share));
  }
}
