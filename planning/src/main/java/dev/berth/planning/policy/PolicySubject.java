package dev.berth.planning.policy;

import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunConfiguration;
import dev.berth.model.config.RunSettings;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What policies look at and may change of a run or a fleet, as it was written.
 *
 * @param profile where and how it may be placed
 * @param resources of its nodes, once for those that are alike
 * @param nodes how many a run has
 * @param machines how many a fleet has; null for runs, and for fleets that do not say
 * @param container what runs there; null for fleets
 */
public record PolicySubject(
    ProfileParams profile,
    List<ResourcesSpec> resources,
    int nodes,
    @Nullable FleetNodes machines,
    @Nullable RunSettings container) {
  /** What fleets have of that which policies can set. */
  static final Set<String> FLEET_FIELDS =
      Set.of(
          "backends",
          "regions",
          "availability_zones",
          "instance_types",
          "reservation",
          "spot_policy",
          "retry",
          "max_price",
          "idle_duration",
          "tags",
          "backend_options");

  public PolicySubject {
    resources = List.copyOf(resources);
  }

  /**
   * That of a run.
   *
   * @param resources of its nodes, once for those that are alike
   * @param nodes how many there are
   */
  public static PolicySubject of(RunConfiguration run, List<ResourcesSpec> resources, int nodes) {
    return new PolicySubject(run.profile(), resources, nodes, null, run.run());
  }

  /** That of a fleet. */
  public static PolicySubject of(FleetConfiguration fleet) {
    ResourcesSpec resources = fleet.resources();
    return new PolicySubject(
        profile(fleet), resources == null ? List.of() : List.of(resources), 0, fleet.nodes(), null);
  }

  boolean isRun() {
    return container != null;
  }

  PolicySubject with(ProfileParams newProfile) {
    return new PolicySubject(newProfile, resources, nodes, machines, container);
  }

  PolicySubject with(List<ResourcesSpec> newResources) {
    return new PolicySubject(profile, newResources, nodes, machines, container);
  }

  PolicySubject with(FleetNodes newMachines) {
    return new PolicySubject(profile, resources, nodes, newMachines, container);
  }

  /** Where the machines of a fleet may be, as if it were a run. */
  private static ProfileParams profile(FleetConfiguration fleet) {
    return new ProfileParams(
        fleet.backends(),
        fleet.regions(),
        fleet.availabilityZones(),
        fleet.instanceTypes(),
        fleet.reservation(),
        fleet.spotPolicy(),
        fleet.retry(),
        null,
        null,
        fleet.maxPrice(),
        null,
        fleet.idleDuration(),
        null,
        null,
        null,
        null,
        null,
        null,
        fleet.tags(),
        fleet.backendOptions());
  }

  /** The fleet that this was made of, with what was changed. */
  FleetConfiguration in(FleetConfiguration fleet) {
    return new FleetConfiguration(
        fleet.name(),
        fleet.placement(),
        fleet.blocks(),
        machines,
        profile.reservation(),
        resources.isEmpty() ? null : resources.getFirst(),
        profile.backends(),
        profile.regions(),
        profile.availabilityZones(),
        profile.instanceTypes(),
        profile.spotPolicy(),
        profile.retry(),
        profile.maxPrice(),
        profile.idleDuration(),
        profile.tags(),
        profile.backendOptions(),
        fleet.sshConfig(),
        fleet.env());
  }
}
