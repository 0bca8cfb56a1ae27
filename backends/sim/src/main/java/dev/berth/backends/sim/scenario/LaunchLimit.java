package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import java.time.Duration;

/** How often an account may request machines and containers, as some providers limit it. */
public record LaunchLimit(
    @Setting("One request is accepted in this time, on average.") Duration every,
    @Setting(
            value = "How many are accepted at once after a long enough pause.",
            fallback = "1",
            least = 1)
        int burst) {
  private static final double NANOS = 1e9;

  public LaunchLimit {
    if (!every.isPositive()) {
      throw new IllegalArgumentException("has an 'every' of no time; leave 'launches' out");
    }
  }

  /** How many are accepted per second, on average. */
  public double perSecond() {
    return NANOS / every.toNanos();
  }
}
