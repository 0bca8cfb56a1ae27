package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What spot machines cost over time, and when they are taken back. */
public record SpotMarket(
    @Setting("Changes of prices, each until the next one of the same type.")
        List<PriceChange> prices,
    @Setting("When machines and container jobs are taken back.") List<Kill> kills) {
  public static final SpotMarket CALM = new SpotMarket(List.of(), List.of());

  public SpotMarket {
    prices = List.copyOf(prices);
    kills = List.copyOf(kills);
  }

  /** A change of spot prices. */
  public record PriceChange(
      @Setting("The instance type; where it is not written, each of them.")
          @Nullable String instanceType,
      @Setting("When, since the cloud was opened first.") Duration after,
      @Setting(value = "What the first price is multiplied with.", least = 0) double factor) {}

  /** Why spot machines end: all at one time, or each at a time that chance decides. */
  public record Kill(
      @Setting("When, since the cloud was opened first, all that are there are taken.")
          @Nullable Duration at,
      @Setting(value = "How many of those that run are taken in an hour, on average.", least = 0)
          @Nullable Double perHour,
      @Setting("The instance type; where it is not written, each of them.")
          @Nullable String instanceType,
      @Setting("The zone; where it is not written, each of them.") @Nullable String zone,
      @Setting(value = "How long before it is said; 0s for not at all.", fallback = "0s")
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
