package dev.berth.planning.fleet;

import dev.berth.model.Fleet;
import dev.berth.model.PolicyBound;
import dev.berth.model.Wishes;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.TimeLimit;
import dev.berth.planning.jobs.PlacementRequirements;
import dev.berth.planning.policy.PolicySubject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the configuration of a fleet into what decisions know of it. */
public final class FleetPlanner {
  private static final ResourcesSpec ANYTHING = new ResourcesSpec(null, null, null, null, null);

  /** For how long machines of a fleet are kept without work, where its file does not say. */
  private static final Duration FLEET_IDLE = Duration.ofDays(3);

  private FleetPlanner() {}

  /** What a fleet wants, its defaults filled in. */
  public static Fleet.Spec spec(FleetConfiguration fleet) {
    return spec(fleet, null, List.of());
  }

  /**
   * The same, where projects and policies have a say.
   *
   * @param project whose backends it may use; null for everybody's
   * @param bounds where they let it be
   */
  public static Fleet.Spec spec(
      FleetConfiguration fleet, @Nullable String project, List<PolicyBound> bounds) {
    TimeLimit idle = fleet.idleDuration();
    ProfileParams profile = PolicySubject.of(fleet).profile();
    ResourcesSpec resources = fleet.resources();
    Wishes wishes =
        new Wishes(
            project,
            PlacementRequirements.orEmpty(fleet.backends()),
            PlacementRequirements.filter(resources == null ? ANYTHING : resources, profile),
            null,
            PlacementRequirements.machines(profile),
            bounds,
            null);
    FleetNodes nodes = fleet.nodes();
    return new Fleet.Spec(
        wishes,
        nodes == null ? new FleetNodes(0, 0, null) : nodes,
        fleet.placement() == FleetPlacement.CLUSTER,
        fleet.blocks().count(),
        idle == null ? FLEET_IDLE : idle.duration(),
        fleet.tags() == null ? Map.of() : fleet.tags());
  }
}
