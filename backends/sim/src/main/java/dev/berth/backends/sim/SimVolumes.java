package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Operation;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.Owner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Volumes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is done with volumes of the simulated cloud. */
final class SimVolumes implements Volumes {
  /** How many volumes a machine takes. */
  static final int DEVICES = 24;

  private final SimCloud cloud;
  private final OwnJobs jobs;

  SimVolumes(SimCloud cloud, Owner owner) {
    this.cloud = cloud;
    this.jobs = new OwnJobs(owner);
  }

  /** What must be there and usable for something else to be made. */
  static SimResource requireUsable(Turn turn, ResourceRef ref) {
    return turn.world()
        .find(ref.id(), ref.type(), turn.now())
        .filter(thing -> thing.life().usable(turn.now()))
        .orElseThrow(() -> gone(SimProvisioner.words(ref)));
  }

  /** Volumes that something new shall have: there, and attached to nothing. */
  static List<SimResource> require(Turn turn, List<ResourceRef> refs) {
    List<SimResource> volumes = refs.stream().map(ref -> requireUsable(turn, ref)).toList();
    if (volumes.size() > DEVICES) {
      throw new BackendException.Permanent(
          "a machine takes no more than %d volumes".formatted(DEVICES), null);
    }
    for (SimResource volume : volumes) {
      if (isAttached(turn, volume)) {
        throw new BackendException.Permanent(
            "the volume %s is attached to another machine".formatted(volume.id()), null);
      }
    }
    return volumes;
  }

  /** Attaches them to a machine or container job that was just made. */
  static void attach(Turn turn, List<SimResource> volumes, String holder) {
    for (int i = 0; i < volumes.size(); i++) {
      SimResource volume = volumes.get(i);
      turn.world().put(volume.with(volume.links().attached(holder, device(i))));
    }
  }

  /** The name that the volume of a number has on its machine. */
  static String device(int number) {
    return "/dev/sd" + (char) ('b' + number);
  }

  /** Whether a volume is attached to something that is there. */
  static boolean isAttached(Turn turn, SimResource volume) {
    Links links = volume.links();
    String holder = links.attachedTo();
    return holder != null
        && !Life.passed(links.detachedAt(), turn.now())
        && holder(turn, holder).isPresent();
  }

  /** Where the machine or the container job is that may hold a volume, while it is there. */
  private static Optional<Site> holder(Turn turn, String id) {
    Instant now = turn.now();
    return turn.world()
        .find(id, ResourceType.INSTANCE, now)
        .map(SimResource::site)
        .or(
            () ->
                turn.world()
                    .findJob(id, now)
                    .filter(job -> !JobEnd.over(job, now))
                    .map(SimJob::site));
  }

  /** The cloud's id of what shall hold a volume; container jobs are named by their key. */
  private String holderId(Turn turn, ResourceRef ref) {
    return ref.type() == ResourceType.JOB
        ? jobs.find(turn, ref.key()).map(SimJob::id).orElse(ref.id())
        : ref.id();
  }

  @Override
  public Found register(String id, String region) {
    return cloud.call(
        Operation.REGISTER_VOLUME,
        id,
        turn ->
            turn.world()
                .find(id, ResourceType.VOLUME, turn.now())
                .filter(volume -> volume.site().region().equals(region))
                .map(volume -> Shown.of(volume, turn.now(), cloud.skew()))
                .orElseThrow(() -> gone(id + " in " + region)),
        found -> found.ref().id());
  }

  @Override
  public String attach(ResourceRef volume, ResourceRef instance) {
    return cloud.call(
        Operation.ATTACH,
        "%s to %s".formatted(volume.id(), instance.id()),
        turn -> attach(turn, volume, holderId(turn, instance)),
        device -> device);
  }

  private static String attach(Turn turn, ResourceRef ref, String instance) {
    SimResource volume =
        turn.world()
            .find(ref.id(), ResourceType.VOLUME, turn.now())
            .filter(found -> found.life().usable(turn.now()))
            .orElseThrow(() -> gone(ref.id()));
    Site holder =
        holder(turn, instance)
            .filter(_ -> !isLeaving(turn, instance))
            .orElseThrow(() -> gone(instance));
    Links links = volume.links();
    String device = links.device();
    if (isAttached(turn, volume)) {
      if (links.detachedAt() != null) {
        throw new BackendException.Transient(
            "the volume %s is being detached from %s; try again soon"
                .formatted(ref.id(), links.attachedTo()),
            null);
      }
      if (instance.equals(links.attachedTo()) && device != null) {
        return device;
      }
      throw new BackendException.Permanent(
          "the volume %s is attached to %s".formatted(ref.id(), links.attachedTo()), null);
    }
    String zone = volume.site().zone();
    if (zone != null && !zone.equals(holder.zone())) {
      throw new BackendException.Permanent(
          "the volume %s is in %s, and %s is in %s"
              .formatted(ref.id(), zone, instance, holder.zone()),
          null);
    }
    String fresh = freeDevice(turn, instance);
    turn.world().put(volume.with(links.attached(instance, fresh)));
    return fresh;
  }

  private static boolean isLeaving(Turn turn, String instance) {
    return turn.world()
        .find(instance, ResourceType.INSTANCE, turn.now())
        .filter(machine -> !machine.life().usable(turn.now()))
        .isPresent();
  }

  /** The first name that no other volume of the machine has. */
  private static String freeDevice(Turn turn, String holder) {
    Set<String> taken =
        turn.world().things().stream()
            .filter(thing -> holder.equals(thing.links().attachedTo()) && isAttached(turn, thing))
            .map(thing -> String.valueOf(thing.links().device()))
            .collect(Collectors.toSet());
    return IntStream.range(0, DEVICES)
        .mapToObj(SimVolumes::device)
        .filter(name -> !taken.contains(name))
        .findFirst()
        .orElseThrow(
            () ->
                new BackendException.Permanent(
                    "%s has %d volumes, and takes no more".formatted(holder, DEVICES), null));
  }

  @Override
  public void detach(ResourceRef volume, ResourceRef instance, boolean force) {
    cloud.run(
        Operation.DETACH,
        "%s from %s%s".formatted(volume.id(), instance.id(), force ? " by force" : ""),
        turn ->
            turn.world()
                .find(volume.id(), ResourceType.VOLUME, turn.now())
                .filter(found -> holderId(turn, instance).equals(found.links().attachedTo()))
                .filter(found -> force || found.links().detachedAt() == null)
                .ifPresent(
                    found -> {
                      Instant at =
                          force ? turn.now() : turn.now().plus(turn.scenario().deleteTime());
                      turn.world().put(found.with(found.links().detached(at)));
                    }));
  }

  @Override
  public boolean isDetached(ResourceRef volume) {
    return cloud.call(
        Operation.IS_DETACHED,
        volume.id(),
        turn ->
            turn.world()
                .find(volume.id(), ResourceType.VOLUME, turn.now())
                .map(found -> !isAttached(turn, found))
                .orElse(true),
        String::valueOf);
  }

  private static BackendException.Gone gone(String what) {
    return new BackendException.Gone("there is no %s in the simulated cloud".formatted(what), null);
  }
}
