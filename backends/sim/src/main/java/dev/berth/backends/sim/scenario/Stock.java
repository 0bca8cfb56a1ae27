package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How many machines there are to be had. What no stock speaks of never runs out. */
public record Stock(
    @Setting("The instance type; by default every type.") @Nullable String instanceType,
    @Setting("The zone; by default every zone.") @Nullable String zone,
    @Setting(
            value = "How many exist in a zone, including those in use; 0 is a stock-out.",
            least = 0)
        int count,
    @Setting(
            value = "When it starts, counted from the first opening of the cloud.",
            fallback = "0s")
        Duration after,
    @Setting("When it ends, counted from the first opening of the cloud.")
        @Nullable Duration until) {
  public boolean concerns(String type, String inZone, Duration time) {
    return (instanceType == null || instanceType.equals(type))
        && (zone == null || zone.equals(inZone))
        && time.compareTo(after) >= 0
        && (until == null || time.compareTo(until) < 0);
  }
}
