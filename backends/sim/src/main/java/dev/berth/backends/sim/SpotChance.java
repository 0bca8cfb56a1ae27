package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.InstanceType;
import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.backends.sim.scenario.SpotMarket;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When spot machines are taken back, and what they cost. Pure. */
final class SpotChance {
  private static final double NANOS_AN_HOUR = 3600e9;

  /** Longer than anybody waits, and short enough to be counted in nanoseconds. */
  private static final double MOST_HOURS = 24 * 365 * 100.0;

  private final SimScenario scenario;
  private final Chance chance;

  SpotChance(SimScenario scenario, Chance chance) {
    this.scenario = scenario;
    this.chance = chance;
  }

  /** When something made now will be taken; null for never. */
  @Nullable Interruption interruption(Site site, long number, Instant now, Instant openedAt) {
    if (!site.spot()) {
      return null;
    }
    return scenario.spotMarket().kills().stream()
        .filter(
            kill -> kill.concerns(Objects.requireNonNullElse(site.instanceType(), ""), site.zone()))
        .flatMap(kill -> time(kill, number, now, openedAt).stream())
        .min(Comparator.comparing(Interruption::at))
        .orElse(null);
  }

  private Optional<Interruption> time(
      SpotMarket.Kill kill, long number, Instant now, Instant openedAt) {
    Duration at = kill.at();
    Double perHour = kill.perHour();
    Instant taken = at != null ? openedAt.plus(at) : now;
    if (at == null && perHour != null) {
      if (perHour == 0) {
        return Optional.empty();
      }
      int which = scenario.spotMarket().kills().indexOf(kill);
      double hours = -Math.log(1 - chance.of("spot-kill-" + which, number)) / perHour;
      taken = now.plusNanos((long) (Math.min(hours, MOST_HOURS) * NANOS_AN_HOUR));
    } else if (taken.isBefore(now)) {
      return Optional.empty();
    }
    Instant noticeAt = taken.minus(kill.notice());
    return Optional.of(
        new Interruption(
            noticeAt.isBefore(now) ? now : noticeAt, taken, taken.plus(scenario.deleteTime())));
  }

  /** What a type costs on the spot market at a time since the cloud was opened. */
  double price(InstanceType type, Duration age) {
    double first = Objects.requireNonNullElse(type.spotPrice(), type.price());
    return scenario.spotMarket().prices().stream()
        .filter(
            change ->
                (change.instanceType() == null || change.instanceType().equals(type.name()))
                    && change.after().compareTo(age) <= 0)
        .max(Comparator.comparing(SpotMarket.PriceChange::after))
        .map(change -> first * change.factor())
        .orElse(first);
  }
}
