package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.ItemOrder;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * An offer of a backend that is open, as it was when the provider was last asked.
 *
 * @param backend the backend's name
 * @param type the backend's type
 * @param zones where it can be had, the best first; empty where the provider chooses
 * @param abilities what can be done there
 */
public record Candidate(
    String backend,
    String type,
    CatalogItem item,
    Availability availability,
    List<String> zones,
    Abilities abilities) {
  /** The order in which they are shown and tried. */
  public static final Comparator<Candidate> CHEAPEST_FIRST =
      Comparator.comparing(Candidate::item, ItemOrder.CHEAPEST_FIRST)
          .thenComparing(Candidate::backend);

  public Candidate {
    zones = List.copyOf(zones);
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
   */
  public record Abilities(
      boolean machines,
      boolean privileged,
      boolean severalNodes,
      boolean reservations,
      boolean instanceVolumes,
      PlacementGroups placementGroups,
      Duration readyWithin,
      Execution execution) {
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
          Execution.BACKEND);
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
          execution);
    }

    /** The same, where somebody else runs jobs. */
    public Abilities with(Execution newExecution) {
      return new Abilities(
          machines,
          privileged,
          severalNodes,
          reservations,
          instanceVolumes,
          placementGroups,
          readyWithin,
          newExecution);
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
