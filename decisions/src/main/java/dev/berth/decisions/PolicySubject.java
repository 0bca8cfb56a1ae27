package dev.berth.decisions;

import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.TaskConfiguration;
import java.util.ArrayList;
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
record PolicySubject(
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

  PolicySubject {
    resources = List.copyOf(resources);
  }

  static PolicySubject of(TaskConfiguration task) {
    List<NodeGroup> groups = task.groups();
    return new PolicySubject(
        task.profile(),
        groups == null
            ? List.of(task.run().resources())
            : groups.stream().map(NodeGroup::resources).toList(),
        Constraint.nodes(task),
        null,
        task.run());
  }

  static PolicySubject of(FleetConfiguration fleet) {
    ResourcesSpec resources = fleet.resources();
    return new PolicySubject(
        Requirements.profile(fleet),
        resources == null ? List.of() : List.of(resources),
        0,
        fleet.nodes(),
        null);
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

  /** The task that this was made of, with what was changed. */
  TaskConfiguration in(TaskConfiguration task) {
    List<NodeGroup> groups = task.groups();
    List<NodeGroup> changed = null;
    if (groups != null) {
      changed = new ArrayList<>();
      for (int i = 0; i < groups.size(); i++) {
        NodeGroup group = groups.get(i);
        changed.add(
            new NodeGroup(
                group.name(), group.nodes(), resources.get(i), group.commands(), group.ports()));
      }
    }
    return new TaskConfiguration(
        groups == null ? task.run().with(resources.getFirst()) : task.run(),
        profile,
        task.commands(),
        task.ports(),
        task.nodes(),
        changed,
        task.after());
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
