package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What spot machines cost over time, and when they are taken back. */
public record SpotMarket(
    @Setting("Price changes; each lasts until the next one for the same type.")
        List<PriceChange> prices,
    @Setting("When machines and container jobs are interrupted.") List<Kill> kills) {
  public static final SpotMarket CALM = new SpotMarket(List.of(), List.of());

  public SpotMarket {
    prices = List.copyOf(prices);
    kills = List.copyOf(kills);
  }

  /** A change of spot prices. */
  public record PriceChange(
      @Setting("The instance type; by default every type.") @Nullable String instanceType,
      @Setting("When it happens, counted from the first opening of the cloud.") Duration after,
      @Setting(value = "The factor by which the original price is multiplied.", least = 0)
          double factor) {}

  /** Why spot machines end: all at one time, or each at a time that chance decides. */
  public record Kill(
      @Setting("When all of them are interrupted, counted from the first opening of the cloud.")
          @Nullable Duration at,
      @Setting(value = "How many running ones are interrupted per hour, on average.", least = 0)
          @Nullable Double perHour,
      @Setting("The instance type; by default every type.") @Nullable String instanceType,
      @Setting("The zone; by default every zone.") @Nullable String zone,
      @Setting(
              value = "How long before the interruption it is announced; 0s for no notice.",
              fallback = "0s")
          Duration notice) {
    public Kill {
      if ((at == null) == (perHour == null)) {
        throw new IllegalArgumentException("has one of 'at' and 'per_hour'");
      }
    }

    public boolean concerns(String type, @Nullable String inZone) {
      return (instanceType == null || instanceType.equals(type))
          && (zone == null || zone.equals(inZone));
    }
  }
}
