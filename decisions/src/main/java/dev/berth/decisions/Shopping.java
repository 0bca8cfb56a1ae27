package dev.berth.decisions;

import dev.berth.model.Fleet;
import dev.berth.model.PolicyBound;
import dev.berth.model.Wishes;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.CreationPolicy;
import dev.berth.model.config.DiskSpec;
import dev.berth.model.config.EntityReference;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.InstanceSelector;
import dev.berth.model.config.PortMapping;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.Size;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.offers.OfferFilter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What runs and fleets want, their defaults filled in. */
public final class Shopping {
  private Shopping() {}

  private static final ResourcesSpec ANYTHING = new ResourcesSpec(null, null, null, null, null);

  /** For how long machines of a fleet are kept without work, where its file does not say. */
  private static final Duration FLEET_IDLE = Duration.ofDays(3);

  /** What a task wants, its defaults filled in. */
  public static Wishes wishes(TaskConfiguration task) {
    return wishes(task, task.run().resources(), task.ports(), ContainerImages.USUAL);
  }

  /** The same, for nodes with resources and ports of their own. */
  static Wishes wishes(
      TaskConfiguration task,
      ResourcesSpec resources,
      List<PortMapping> ports,
      ContainerImages images) {
    ProfileParams profile = task.profile();
    return new Wishes(
            orEmpty(profile.backends()),
            filter(resources, profile),
            Containers.of(task.run(), resources, ports, images),
            machines(profile))
        .inContainers(!JobPlanner.unsupportedOnHosts(task).isEmpty());
  }

  private static Wishes.Machines machines(ProfileParams profile) {
    TimeLimit idle = profile.idleDuration();
    return new Wishes.Machines(
        profile.creationPolicy() == CreationPolicy.REUSE,
        profile.fleets() == null
            ? List.of()
            : profile.fleets().stream().map(EntityReference::name).toList(),
        profile.instances() == null
            ? List.of()
            : profile.instances().stream().map(Shopping::nameOf).toList(),
        idle == null ? Wishes.Machines.DEFAULT_IDLE : idle.duration(),
        profile.reservation(),
        profile.tags() == null ? Map.of() : profile.tags());
  }

  private static String nameOf(InstanceSelector selector) {
    return switch (selector) {
      case InstanceSelector.ByName byName -> byName.name();
      case InstanceSelector.ByHostname byHostname -> byHostname.hostname();
      case InstanceSelector.ByFleet byFleet -> byFleet.fleet().name() + "-" + byFleet.instance();
    };
  }

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
    ProfileParams profile = profile(fleet);
    ResourcesSpec resources = fleet.resources();
    Wishes wishes =
        new Wishes(
            project,
            orEmpty(fleet.backends()),
            filter(resources == null ? ANYTHING : resources, profile),
            null,
            machines(profile),
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

  /** Where the machines of a fleet may be, as if it were a run. */
  static ProfileParams profile(FleetConfiguration fleet) {
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

  private static OfferFilter filter(ResourcesSpec resources, ProfileParams profile) {
    CpuSpec cpu = resources.cpu();
    DiskSpec disk = resources.disk();
    GpuSpec gpu = resources.gpu();
    Double most = profile.maxPrice();
    return new OfferFilter(
        Set.of(),
        setOf(profile.regions()),
        setOf(profile.availabilityZones()),
        Set.of(),
        setOf(profile.instanceTypes()),
        cpu == null ? null : cpu.count(),
        cpu == null ? null : cpu.arch(),
        Size.mib(resources.memory()),
        disk == null ? null : Size.mib(disk.size()),
        gpu == null ? OfferFilter.Gpu.ANY : OfferFilter.Gpu.of(gpu, Size.mib(gpu.memory())),
        spot(profile.spotPolicy()),
        most == null ? null : new Range<>(null, most),
        null,
        false);
  }

  private static @Nullable Boolean spot(@Nullable SpotPolicy policy) {
    return switch (policy) {
      case null -> false;
      case ON_DEMAND -> false;
      case SPOT -> true;
      case AUTO -> null;
    };
  }

  private static List<String> orEmpty(@Nullable List<String> words) {
    return words == null ? List.of() : words;
  }

  private static Set<String> setOf(@Nullable List<String> words) {
    return words == null ? Set.of() : Set.copyOf(words);
  }
}
