package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How many machines there are to be had. What no stock speaks of never runs out. */
public record Stock(
    @Setting("The instance type; where it is not written, each of them.")
        @Nullable String instanceType,
    @Setting("The zone; where it is not written, each of them.") @Nullable String zone,
    @Setting(value = "How many there are in a zone, ours included; 0 is a stock-out.", least = 0)
        int count,
    @Setting(value = "From when on, since the cloud was opened first.", fallback = "0s")
        Duration after,
    @Setting("Until when, since the cloud was opened first.") @Nullable Duration until) {
  public boolean concerns(String type, String inZone, Duration time) {
    return (instanceType == null || instanceType.equals(type))
        && (zone == null || zone.equals(inZone))
        && time.compareTo(after) >= 0
        && (until == null || time.compareTo(until) < 0);
  }
}
