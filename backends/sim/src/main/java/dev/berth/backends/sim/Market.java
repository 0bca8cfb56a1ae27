package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.InstanceType;
import dev.berth.backends.sim.scenario.Quota;
import dev.berth.backends.sim.scenario.Region;
import dev.berth.backends.sim.scenario.Reservation;
import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.backends.sim.scenario.Stock;
import dev.berth.model.Availability;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What of a world's machines can still be had. Changes nothing. */
final class Market {
  private final SimScenario scenario;
  private final World world;

  Market(SimScenario scenario, World world) {
    this.scenario = scenario;
    this.world = world;
  }

  /**
   * The place where so many machines can be made.
   *
   * @throws BackendException where the offer is not known, sold out, or more than the account may
   *     have
   */
  Site settle(Site wish, int count, Instant now) {
    InstanceType type = requireOffer(wish);
    requireQuota(wish, type, count, now);
    return findZone(wish, count, now)
        .orElseThrow(
            () ->
                new BackendException.NoCapacity(
                    "the simulated cloud has no %s left in %s"
                        .formatted(
                            type.name(), wish.zone() == null ? wish.region() : wish.zone())));
  }

  /** Refuses what is not sold at all. */
  InstanceType requireOffer(Site wish) {
    Region region = requireRegion(wish.region());
    String zone = wish.zone();
    if (zone != null && !region.zones().contains(zone)) {
      throw new BackendException.Permanent(
          "the region %s has no zone %s; it has %s"
              .formatted(region.name(), zone, String.join(", ", region.zones())),
          null);
    }
    String name = Objects.requireNonNullElse(wish.instanceType(), "");
    InstanceType type =
        scenario
            .instanceType(name)
            .orElseThrow(
                () ->
                    new BackendException.Permanent(
                        "the simulated cloud sells no instance type " + name, null));
    if (wish.spot() && type.spotPrice() == null) {
      throw new BackendException.Permanent(
          "the simulated cloud does not sell %s on the spot market".formatted(name), null);
    }
    if (wish.reservation() != null) {
      requireReservation(wish.reservation(), type);
    }
    return type;
  }

  Region requireRegion(String name) {
    return scenario
        .region(name)
        .orElseThrow(
            () ->
                new BackendException.Permanent("the simulated cloud has no region " + name, null));
  }

  private void requireReservation(String id, InstanceType type) {
    Reservation reservation =
        scenario
            .reservation(id)
            .orElseThrow(
                () ->
                    new BackendException.Permanent(
                        "the simulated cloud has no reservation %s; it has %s"
                            .formatted(
                                id,
                                String.join(
                                    ", ",
                                    scenario.reservations().stream()
                                        .map(Reservation::id)
                                        .toList())),
                        null));
    if (!reservation.instanceType().equals(type.name())) {
      throw new BackendException.Permanent(
          "the reservation %s is for %s and not for %s"
              .formatted(id, reservation.instanceType(), type.name()),
          null);
    }
  }

  private void requireQuota(Site wish, InstanceType type, int count, Instant now) {
    for (Quota quota : scenario.quotas()) {
      if (quota.concerns(wish.region()) && isExceeded(quota, wish.region(), type, count, now)) {
        throw new BackendException.QuotaExceeded(
            "the account may not have %d more of %s in %s"
                .formatted(count, type.name(), wish.region()));
      }
    }
  }

  private boolean isExceeded(
      Quota quota, String region, InstanceType type, int count, Instant now) {
    List<Site> used = used(site -> site.region().equals(region), now);
    Integer instances = quota.instances();
    Integer gpus = quota.gpus();
    return (instances != null && used.size() + count > instances)
        || (gpus != null
            && type.gpus() > 0
            && used.stream().mapToInt(this::gpus).sum() + count * type.gpus() > gpus);
  }

  private int gpus(Site site) {
    return scenario
        .instanceType(Objects.requireNonNullElse(site.instanceType(), ""))
        .map(InstanceType::gpus)
        .orElse(0);
  }

  /** The first zone that has so many; the provider's choice where none is asked for. */
  Optional<Site> findZone(Site wish, int count, Instant now) {
    if (wish.reservation() != null) {
      return scenario
          .reservation(wish.reservation())
          .filter(reservation -> wish.zone() == null || reservation.zone().equals(wish.zone()))
          .filter(
              reservation ->
                  used(site -> reservation.id().equals(site.reservation()), now).size() + count
                      <= reservation.count())
          .map(reservation -> wish.in(reservation.zone()));
    }
    return zones(wish).filter(zone -> left(wish, zone, now) >= count).map(wish::in).findFirst();
  }

  /** The zones where at least one can be had. */
  List<String> zonesWithStock(Site wish, Instant now) {
    return zones(wish).filter(zone -> left(wish, zone, now) > 0).toList();
  }

  Availability availability(Site wish, InstanceType type, Instant now) {
    for (Quota quota : scenario.quotas()) {
      if (quota.concerns(wish.region()) && isExceeded(quota, wish.region(), type, 1, now)) {
        return Availability.NO_QUOTA;
      }
    }
    return zonesWithStock(wish, now).isEmpty()
        ? Availability.NOT_AVAILABLE
        : Availability.AVAILABLE;
  }

  private Stream<String> zones(Site wish) {
    return wish.zone() != null
        ? Stream.of(wish.zone())
        : scenario.region(wish.region()).stream().flatMap(region -> region.zones().stream());
  }

  private long left(Site wish, String zone, Instant now) {
    String type = Objects.requireNonNullElse(wish.instanceType(), "");
    long most = Long.MAX_VALUE;
    for (Stock stock : scenario.stock()) {
      if (stock.concerns(type, zone, world.age(now))) {
        most = Math.min(most, stock.count());
      }
    }
    if (most == 0 || most == Long.MAX_VALUE) {
      return most;
    }
    return most
        - used(
                site ->
                    zone.equals(site.zone())
                        && type.equals(site.instanceType())
                        && site.reservation() == null,
                now)
            .size();
  }

  /**
   * The places that machines and jobs without a machine of ours take up, also those that are still
   * on their way because their answer was lost.
   */
  private List<Site> used(Predicate<Site> which, Instant now) {
    Stream<Site> machines =
        world.things().stream()
            .filter(thing -> thing.type() == ResourceType.INSTANCE && !thing.life().over(now))
            .map(SimResource::site);
    Stream<Site> jobs =
        world.jobs().stream()
            .filter(job -> !job.onMachine() && job.occupies(now))
            .map(SimJob::site);
    return Stream.concat(machines, jobs).filter(which).toList();
  }

  /** The times at which stock may have come back to those who wait, in order. */
  NavigableSet<Instant> changes(Instant from, Instant until) {
    List<@Nullable Instant> times = new ArrayList<>();
    for (SimResource thing : world.things()) {
      times.add(thing.life().goneAt());
      Interruption interruption = thing.life().interruption();
      times.add(interruption == null ? null : interruption.goneAt());
    }
    for (SimJob job : world.jobs()) {
      times.add(JobEnd.of(job).map(JobEnd::at).orElse(job.course().askedAt()));
    }
    for (Stock stock : scenario.stock()) {
      Duration end = stock.until();
      times.add(world.openedAt().plus(stock.after()));
      times.add(end == null ? null : world.openedAt().plus(end));
    }
    times.add(until);
    return times.stream()
        .flatMap(time -> Optional.ofNullable(time).stream())
        .filter(time -> !time.isBefore(from) && !time.isAfter(until))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
