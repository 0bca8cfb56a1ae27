package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.ItemOrder;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An offer of a backend that is open, as it was when the provider was last asked.
 *
 * @param backend the backend's name
 * @param type the backend's type
 * @param offer what is sold, as the provider tells it
 * @param zones where it can be had, the best first; empty where the provider chooses
 * @param disk the disk, where its size is chosen; null where the offer says what it has, or the
 *     provider does not say which sizes there are
 * @param abilities what can be done there
 */
public record Candidate(
    String backend,
    String type,
    CatalogItem offer,
    Availability availability,
    List<String> zones,
    @Nullable DiskOption disk,
    Abilities abilities) {
  /** The order in which they are shown and tried. */
  public static final Comparator<Candidate> CHEAPEST_FIRST =
      Comparator.comparing(Candidate::item, ItemOrder.CHEAPEST_FIRST)
          .thenComparing(Candidate::backend);

  public Candidate {
    zones = List.copyOf(zones);
  }

  /** An offer that says what disk it has, or that is taken with whatever it has. */
  public Candidate(
      String backend,
      String type,
      CatalogItem offer,
      Availability availability,
      List<String> zones,
      Abilities abilities) {
    this(backend, type, offer, availability, zones, null, abilities);
  }

  /** What is bought: the offer with its chosen disk, at the price of both. */
  public CatalogItem item() {
    return disk == null ? offer : offer.with(disk.sizeMib(), offer.price() + disk.price());
  }

  /**
   * Where it is made. The size of a chosen disk does not make it another offer: one that is sold
   * out is sold out with any disk.
   */
  public Place place() {
    return disk == null ? Place.of(offer) : Place.of(offer.with(null, item().price()));
  }

  /** The same with a disk that is as large as asked for, where its size is chosen. */
  public Candidate withDisk(Optional<Long> least) {
    return disk == null || disk.equals(disk.atLeast(least)) ? this : with(disk.atLeast(least));
  }

  private Candidate with(DiskOption newDisk) {
    return new Candidate(backend, type, offer, availability, zones, newDisk, abilities);
  }

  /** The same, as if it could be had. */
  public Candidate available() {
    return new Candidate(backend, type, offer, Availability.AVAILABLE, zones, disk, abilities);
  }

  /**
   * What a backend can do with what is bought.
   *
   * @param machines whether machines are bought, which jobs are then started on; otherwise the job
   *     itself is what is bought
   * @param privileged whether containers there may be privileged
   * @param severalNodes whether machines there reach each other
   * @param reservations whether capacity that was reserved before can be used
   * @param instanceVolumes whether jobs see folders of their machine
   * @param placementGroups which machines can be promised to be near each other
   * @param readyWithin after how long a machine that is not ready is given up
   * @param execution who runs jobs there
   * @param boot what machines there do first, and who may enter them
   */
  public record Abilities(
      boolean machines,
      boolean privileged,
      boolean severalNodes,
      boolean reservations,
      boolean instanceVolumes,
      PlacementGroups placementGroups,
      Duration readyWithin,
      Execution execution,
      Boot boot) {
    /** Those of a backend that runs jobs itself, and has no placement groups. */
    public Abilities(
        boolean machines,
        boolean privileged,
        boolean severalNodes,
        boolean reservations,
        boolean instanceVolumes,
        Duration readyWithin) {
      this(
          machines,
          privileged,
          severalNodes,
          reservations,
          instanceVolumes,
          PlacementGroups.NONE,
          readyWithin,
          Execution.BACKEND,
          Boot.NONE);
    }

    /** The same, with other placement groups. */
    public Abilities with(PlacementGroups newPlacementGroups) {
      return new Abilities(
          machines,
          privileged,
          severalNodes,
          reservations,
          instanceVolumes,
          newPlacementGroups,
          readyWithin,
          execution,
          boot);
    }

    /** The same, where somebody else runs jobs, on machines that boot in its way. */
    public Abilities with(Execution newExecution, Boot newBoot) {
      return new Abilities(
          machines,
          privileged,
          severalNodes,
          reservations,
          instanceVolumes,
          placementGroups,
          readyWithin,
          newExecution,
          newBoot);
    }
  }

  /** Who runs jobs on what is bought. */
  public enum Execution {
    /** The backend itself. */
    BACKEND,
    /** Berth, in containers of an engine on the machine. */
    CONTAINERS,
    /** Berth, as processes of the machine. */
    PROCESSES
  }

  /** Which machines can be in a placement group. */
  public enum PlacementGroups {
    NONE,
    /** Those that do not come out of a reservation. */
    UNRESERVED,
    ALL;

    /** Whether a machine can be in one. */
    public boolean take(boolean reserved) {
      return switch (this) {
        case NONE -> false;
        case UNRESERVED -> !reserved;
        case ALL -> true;
      };
    }
  }
}
