package dev.berth.decisions;

import dev.berth.model.BackendKey;
import dev.berth.model.Candidate;
import dev.berth.model.Container;
import dev.berth.model.Fleet;
import dev.berth.model.Place;
import dev.berth.model.Placement;
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
import dev.berth.model.offers.OfferMatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which offers a run wants, and which of those that there are come next. */
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
