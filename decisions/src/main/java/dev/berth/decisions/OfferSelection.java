package dev.berth.decisions;

import dev.berth.model.BackendKey;
import dev.berth.model.Candidate;
import dev.berth.model.DiskOption;
import dev.berth.model.Fleet;
import dev.berth.model.Place;
import dev.berth.model.Placement;
import dev.berth.model.Wishes;
import dev.berth.model.offers.CatalogItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which of the offers that suit come next. */
final class OfferSelection {
  private final OfferView offers;
  private final @Nullable Fleet fleet;
  private final Instant now;

  /**
   * Looks at offers.
   *
   * @param fleet whose machines they would be, so that it must want them, too; null for any offer
   */
  OfferSelection(OfferView offers, @Nullable Fleet fleet, Instant now) {
    this.offers = offers;
    this.fleet = fleet;
    this.now = now;
  }

  /**
   * An offer in the zone where it shall be taken.
   *
   * @param candidate with the chosen disk, where there is a choice
   * @param diskMib the disk that is asked for; null where the offer says what it has
   */
  record Choice(
      Candidate candidate,
      @Nullable String zone,
      @Nullable String reservation,
      @Nullable Long diskMib) {
    /** What is bought, with its disk: whoever uses it later must know what it has. */
    CatalogItem item() {
      CatalogItem item = candidate.item();
      return diskMib == null || item.diskMib() != null ? item : item.with(diskMib, item.price());
    }

    Place place() {
      Place place = candidate.place().in(zone);
      return reservation == null ? place : place.reserved(reservation);
    }

    String key() {
      return place().offerKey(candidate.backend());
    }

    /** The same as people see it. */
    String shown() {
      return place().key(BackendKey.name(candidate.backend()));
    }

    /** Machines of one area are near each other. */
    String area() {
      return PlacementGroupLife.area(candidate.backend(), place(), isGrouped());
    }

    /** Whether a machine there can be in a placement group. */
    boolean isGrouped() {
      return candidate.abilities().placementGroups().take(reservation != null);
    }
  }

  /** What a member of a replica asks for; empty where it may have no offer. */
  Optional<OfferRequirement> requirement(Placement placement, int rank) {
    return placement
        .wishesOf(rank)
        .map(
            wishes ->
                OfferRequirement.of(wishes).amongSeveral(placement.members().size() > 1).in(fleet));
  }

  /** What can be had for a member of a replica and was not tried, the cheapest first. */
  Stream<Choice> choices(Placement placement, int rank) {
    Wishes wishes = placement.wishesOf(rank).orElse(null);
    if (wishes == null) {
      return Stream.empty();
    }
    boolean cluster = fleet == null ? placement.members().size() > 1 : fleet.spec().cluster();
    return untried(
        offers.offers(requirement(placement, rank).orElseThrow()).candidates(),
        wishes,
        fleet,
        new HashSet<>(placement.tried()),
        cluster);
  }

  /** The cheapest machine that a fleet could have more of; of a cluster, near the others. */
  static Optional<Choice> forFleet(
      OfferView offers, OfferAnswer answer, Fleet fleet, Draft draft, Instant now) {
    Optional<String> area = areaOf(draft, fleet);
    return new OfferSelection(offers, null, now)
        .untried(
            answer.candidates(),
            fleet.spec().wishes(),
            null,
            new HashSet<>(fleet.tried()),
            fleet.spec().cluster())
        .filter(choice -> area.isEmpty() || PlacementGroupLife.isNear(area.get(), choice.area()))
        .findFirst();
  }

  private Stream<Choice> untried(
      List<Candidate> candidates,
      Wishes wishes,
      @Nullable Fleet fleet,
      Set<String> tried,
      boolean cluster) {
    Optional<Long> leastDisk = OfferRequirement.of(wishes).in(fleet).items().leastDisk();
    Stream<Choice> choices =
        candidates.stream()
            .filter(candidate -> candidate.availability().isUsable())
            .flatMap(
                candidate ->
                    choices(candidate.withDisk(leastDisk), wishes, fleet, leastDisk).stream());
    if (tried.isEmpty() && offers.failures().isEmpty()) {
      return choices;
    }
    return choices
        .filter(choice -> isOpen(choice.key(), tried))
        .filter(choice -> !cluster || isOpen(choice.area(), tried));
  }

  private boolean isOpen(String key, Set<String> tried) {
    return !tried.contains(key) && !offers.isBarred(key, now);
  }

  /** Where all machines of a fleet have to be: near those that a cluster has already. */
  static Optional<String> areaOf(Draft draft, Fleet fleet) {
    return fleet.spec().cluster()
        ? FleetLife.standing(draft, fleet).stream().map(PlacementGroupLife::areaOf).findFirst()
        : Optional.empty();
  }

  /** The zones and the reservation where both agree, the one who wants it and the fleet. */
  private static List<Choice> choices(
      Candidate candidate, Wishes wishes, @Nullable Fleet fleet, Optional<Long> leastDisk) {
    Wishes ofFleet = fleet == null ? wishes : fleet.spec().wishes();
    String own = wishes.machines().reservation();
    String other = ofFleet.machines().reservation();
    if (own != null && other != null && !own.equals(other)) {
      return List.of();
    }
    String reservation = own == null ? other : own;
    List<String> allowed = OfferRequirement.zones(candidate, ofFleet.filter()).toList();
    Long disk = disk(candidate, leastDisk);
    List<Choice> choices = new ArrayList<>();
    OfferRequirement.zones(candidate, wishes.filter())
        .filter(allowed::contains)
        .forEach(zone -> choices.add(new Choice(candidate, zone, reservation, disk)));
    boolean anywhere = wishes.filter().zones().isEmpty() && ofFleet.filter().zones().isEmpty();
    if (choices.isEmpty() && anywhere) {
      choices.add(new Choice(candidate, null, reservation, disk));
    }
    return choices;
  }

  /** The chosen size; of a provider that does not say which there are, what is asked for. */
  private static @Nullable Long disk(Candidate candidate, Optional<Long> least) {
    if (candidate.offer().diskMib() != null) {
      return null;
    }
    DiskOption chosen = candidate.disk();
    return chosen == null ? least.orElse(null) : Long.valueOf(chosen.sizeMib());
  }
}
