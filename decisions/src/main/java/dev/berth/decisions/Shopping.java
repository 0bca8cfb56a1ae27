package dev.berth.decisions;

import dev.berth.model.BackendKey;
import dev.berth.model.Candidate;
import dev.berth.model.Container;
import dev.berth.model.Fleet;
import dev.berth.model.Place;
import dev.berth.model.Placement;
import dev.berth.model.Wishes;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.offers.OfferMatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which of the offers that there are come next for a run or a fleet. */
public final class Shopping {
  private final Market market;
  private final @Nullable Fleet fleet;
  private final Instant now;

  /**
   * Looks at a market.
   *
   * @param fleet whose machines they would be, so that it must want them, too; null for any offer
   */
  Shopping(Market market, @Nullable Fleet fleet, Instant now) {
    this.market = market;
    this.fleet = fleet;
    this.now = now;
  }

  /** An offer in the zone where it shall be taken. */
  record Choice(Candidate candidate, @Nullable String zone, @Nullable String reservation) {
    Place place() {
      Place place = Place.of(candidate.item()).in(zone);
      return reservation == null ? place : place.reserved(reservation);
    }

    String key() {
      return place().key(candidate.backend());
    }

    /** The same as people see it. */
    String shown() {
      return place().key(BackendKey.name(candidate.backend()));
    }

    /** Machines of one area are near each other. */
    String area() {
      return Neighbourhoods.area(candidate.backend(), place(), isGrouped());
    }

    /** Whether a machine there can be in a placement group. */
    boolean isGrouped() {
      return candidate.abilities().placementGroups().take(reservation != null);
    }
  }

  /** What can be had for a member of a replica and was not tried, the cheapest first. */
  Stream<Choice> choices(Placement placement, int rank) {
    Wishes wishes = placement.wishesOf(rank).orElse(null);
    if (wishes == null) {
      return Stream.empty();
    }
    Set<String> tried = new HashSet<>(placement.tried());
    boolean cluster = fleet == null ? placement.members().size() > 1 : fleet.spec().cluster();
    return suitable(market, wishes, placement.members().size() > 1).stream()
        .filter(candidate -> fleet == null || isWantedBy(fleet, candidate))
        .filter(candidate -> candidate.availability().isUsable())
        .flatMap(candidate -> choices(candidate, wishes, fleet).stream())
        .filter(choice -> !tried.contains(choice.key()) && !market.isBarred(choice.key(), now))
        .filter(
            choice ->
                !cluster
                    || (!tried.contains(choice.area()) && !market.isBarred(choice.area(), now)));
  }

  private static boolean isWantedBy(Fleet fleet, Candidate candidate) {
    return candidate.abilities().machines()
        && suits(fleet.spec().wishes(), candidate)
        && Blocks.canBeCut(fleet.spec().blocks(), candidate.item());
  }

  /** The cheapest machine that a fleet could have more of; of a cluster, near the others. */
  static Optional<Choice> forFleet(Market market, Fleet fleet, Draft draft, Instant now) {
    Optional<String> area = areaOf(draft, fleet);
    Wishes wishes = fleet.spec().wishes();
    return suitable(market, wishes).stream()
        .filter(candidate -> isWantedBy(fleet, candidate))
        .filter(candidate -> candidate.availability().isUsable())
        .flatMap(candidate -> choices(candidate, wishes, null).stream())
        .filter(choice -> area.isEmpty() || Neighbourhoods.isNear(area.get(), choice.area()))
        .filter(choice -> !fleet.tried().contains(choice.key()))
        .filter(choice -> !market.isBarred(choice.key(), now))
        .filter(
            choice ->
                !fleet.spec().cluster()
                    || (!fleet.tried().contains(choice.area())
                        && !market.isBarred(choice.area(), now)))
        .findFirst();
  }

  /** Where all machines of a fleet have to be: near those that a cluster has already. */
  static Optional<String> areaOf(Draft draft, Fleet fleet) {
    return fleet.spec().cluster()
        ? FleetLife.standing(draft, fleet).stream().map(Neighbourhoods::areaOf).findFirst()
        : Optional.empty();
  }

  /** The offers that a run could have, the cheapest first. */
  public static List<Candidate> suitable(Market market, Wishes wishes) {
    return market.candidates().stream().filter(candidate -> suits(wishes, candidate)).toList();
  }

  /** The same, for a node of one or several. */
  static List<Candidate> suitable(Market market, Wishes wishes, boolean several) {
    return suitable(market, wishes).stream()
        .filter(
            candidate ->
                !several
                    || (candidate.abilities().machines() && candidate.abilities().severalNodes()))
        .toList();
  }

  private static boolean suits(Wishes wishes, Candidate candidate) {
    Container container = wishes.container();
    Candidate.Abilities abilities = candidate.abilities();
    return wishes.allow(candidate.backend(), candidate.type())
        && wishes.permitBuying(candidate.item())
        && (container == null || !container.privileged() || abilities.privileged())
        && (abilities.execution() != Candidate.Execution.PROCESSES || wishes.suit(null))
        && (wishes.machines().reservation() == null || abilities.reservations())
        && OfferMatch.matches(withoutZones(wishes.filter()), candidate.item())
        && (wishes.filter().zones().isEmpty() || !zones(candidate, wishes).isEmpty());
  }

  /** Zones are looked at with those where the account can have the offer. */
  private static OfferFilter withoutZones(OfferFilter filter) {
    return filter.zones().isEmpty() ? filter : filter.withZones(Set.of());
  }

  private static List<String> zones(Candidate candidate, Wishes wishes) {
    Set<String> wanted = wishes.filter().zones();
    List<String> all =
        candidate.zones().isEmpty()
            ? Optional.ofNullable(candidate.item().zone()).stream().toList()
            : candidate.zones();
    return all.stream()
        .filter(zone -> wanted.isEmpty() || wanted.stream().anyMatch(zone::equalsIgnoreCase))
        .toList();
  }

  /** The zones and the reservation where both agree, the one who wants it and the fleet. */
  private static List<Choice> choices(Candidate candidate, Wishes wishes, @Nullable Fleet fleet) {
    Wishes ofFleet = fleet == null ? wishes : fleet.spec().wishes();
    String own = wishes.machines().reservation();
    String other = ofFleet.machines().reservation();
    if (own != null && other != null && !own.equals(other)) {
      return List.of();
    }
    String reservation = own == null ? other : own;
    List<String> allowed = zones(candidate, ofFleet);
    List<Choice> choices = new ArrayList<>();
    zones(candidate, wishes).stream()
        .filter(allowed::contains)
        .forEach(zone -> choices.add(new Choice(candidate, zone, reservation)));
    boolean anywhere = wishes.filter().zones().isEmpty() && ofFleet.filter().zones().isEmpty();
    if (choices.isEmpty() && anywhere) {
      choices.add(new Choice(candidate, null, reservation));
    }
    return choices;
  }
}
