package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Fault;
import dev.berth.backends.sim.scenario.InstanceType;
import dev.berth.model.JobRequest;
import dev.berth.model.ResourceType;
import dev.berth.model.config.Size;
import dev.berth.model.offers.SizeFormat;
import dev.berth.spi.BackendException;
import dev.berth.spi.BootWay;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Traits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The making of one thing. All that can be refused is, before anything is made. */
final class Making {
  private final Turn turn;
  private final CreateRequest request;
  private final Owner owner;
  private final Traits traits;

  Making(Turn turn, CreateRequest request, Owner owner, Traits traits) {
    this.turn = turn;
    this.request = request;
    this.owner = owner;
    this.traits = traits;
  }

  SimResource make() {
    turn.requireRoom();
    return switch (request) {
      case CreateRequest.Machine machine -> machine(machine);
      case CreateRequest.Group group -> group(group);
      case CreateRequest.Volume volume ->
          put(located(volume.region(), volume.zone(), true), turn.madeAt(), Links.NONE, false);
      case CreateRequest.PlacementGroup group -> {
        Site site = Site.of(group.place());
        turn.market().requireOffer(site);
        yield put(Site.of(site.region(), site.zone()), turn.madeAt(), Links.NONE, false);
      }
      case CreateRequest.Gateway gateway ->
          put(gatewaySite(gateway), booted(), Links.NONE, gateway.publicAddress());
      case CreateRequest.LoadBalancer balancer ->
          put(located(balancer.region(), null, false), booted(), Links.NONE, true);
    };
  }

  private SimResource machine(CreateRequest.Machine machine) {
    if (traits.base() != Traits.Base.MACHINES) {
      throw new BackendException.Permanent(
          "this backend gives containers and no machines; start a job instead", null);
    }
    BootWay.CloudInit.USUAL.require(machine.boot());
    turn.requireLaunch();
    Site wish = Site.of(machine.place());
    List<SimResource> volumes = SimVolumes.require(turn, machine.volumes());
    for (SimResource volume : volumes) {
      wish = wish.near(volume);
    }
    ResourceRef groupRef = machine.placementGroup();
    SimResource group = groupRef == null ? null : SimVolumes.requireUsable(turn, groupRef);
    if (group != null) {
      wish = wish.near(group);
    }
    requireDisk(turn.market().requireOffer(wish), machine.diskMib());
    Site site = turn.market().settle(wish, 1, turn.now());
    SimResource made = put(site, booted(), Links.NONE.in(group == null ? null : group.id()), false);
    SimVolumes.attach(turn, volumes, made.id());
    return made;
  }

  private static void requireDisk(InstanceType type, @Nullable Long wanted) {
    Size largest = type.maxDisk();
    if (wanted == null || largest == null) {
      return;
    }
    if (wanted < type.disk().mib() || wanted > largest.mib()) {
      throw new BackendException.Permanent(
          "%s has disks of %s to %s, not of %s"
              .formatted(
                  type.name(),
                  SizeFormat.ofMib(type.disk().mib()),
                  SizeFormat.ofMib(largest.mib()),
                  SizeFormat.ofMib(wanted)),
          null);
    }
  }

  private SimResource group(CreateRequest.Group group) {
    for (JobRequest job : group.jobs()) {
      JobRuntime.requireOnly(job.at(group.place()), traits);
      if (!job.volumes().isEmpty()) {
        throw new BackendException.Permanent(
            "the simulated cloud attaches no volumes to the jobs of a group; start them one by one",
            null);
      }
    }
    Site site = turn.market().settle(Site.of(group.place()), group.jobs().size(), turn.now());
    SimResource made = put(site, booted(), Links.NONE, false);
    List<String> members = new ArrayList<>();
    for (JobRequest job : group.jobs()) {
      members.add(JobWishes.put(turn, owner, job, site, made.id()).id());
    }
    SimResource whole = made.with(made.links().with(members));
    turn.world().put(whole);
    return whole;
  }

  private Site located(String region, @Nullable String zone, boolean needsZone) {
    List<String> zones = turn.market().requireRegion(region).zones();
    if (zone != null && !zones.contains(zone)) {
      throw new BackendException.Permanent(
          "the region %s has no zone %s; it has %s"
              .formatted(region, zone, String.join(", ", zones)),
          null);
    }
    return Site.of(region, zone == null && needsZone ? zones.getFirst() : zone);
  }

  private Site gatewaySite(CreateRequest.Gateway gateway) {
    Site site = located(gateway.region(), null, false);
    String type = gateway.instanceType();
    if (type == null) {
      return site;
    }
    Site wish = new Site(site.region(), null, type, false, null);
    turn.market().requireOffer(wish);
    return wish;
  }

  private Instant booted() {
    return turn.madeAt().plus(turn.scenario().bootTime());
  }

  /** The jobs of a group begin with it, so it is not refused later. */
  private @Nullable LateRefusal refusal() {
    return request.type() == ResourceType.GROUP
        ? null
        : turn.find(Fault.Kind.LATE_REFUSAL)
            .map(fault -> new LateRefusal(turn.madeAt().plus(fault.lasts()), fault.refusal()))
            .orElse(null);
  }

  private SimResource put(Site site, Instant readyAt, Links links, boolean publicAddress) {
    long number = turn.world().nextNumber();
    // The jobs of a group are taken one by one, and it stays.
    Interruption interruption =
        request.type() == ResourceType.INSTANCE
            ? turn.spot().interruption(site, number, turn.madeAt(), turn.world().openedAt())
            : null;
    LateRefusal refusal = refusal();
    SimResource thing =
        new SimResource(
            number,
            SimIds.of(request.type(), number),
            request.type(),
            request.key(),
            request.tags(),
            site,
            refusal == null
                ? Life.of(turn.madeAt(), readyAt, interruption)
                : Life.until(turn.madeAt(), refusal.at()),
            links,
            publicAddress,
            turn.has(Fault.Kind.UNREACHABLE_HOST),
            refusal);
    turn.world().put(thing);
    return thing;
  }
}
