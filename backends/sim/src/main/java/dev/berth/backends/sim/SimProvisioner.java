package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Fault;
import dev.berth.backends.sim.scenario.Operation;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Identity;
import dev.berth.spi.Listing;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes and deletes things of the simulated cloud. */
final class SimProvisioner implements Provisioner {
  private static final int DESCRIBED_AT_ONCE = 100;

  private final SimCloud cloud;
  private final Owner owner;
  private final Traits traits;
  private final Identity identity;
  private final @Nullable SimFolders folders;

  /**
   * A provisioner of one account.
   *
   * @param folders what stands for machines on which Berth runs jobs; null where the cloud runs
   *     them
   */
  SimProvisioner(
      SimCloud cloud, Owner owner, Traits traits, Identity identity, @Nullable SimFolders folders) {
    this.cloud = cloud;
    this.owner = owner;
    this.traits = traits;
    this.identity = identity;
    this.folders = folders;
  }

  @Override
  public Found create(CreateRequest request) {
    request.requireOnly(traits);
    return cloud.call(
        Operation.CREATE,
        "%s key=%s".formatted(request.type().word(), request.key()),
        turn -> shown(create(turn, request), turn.now()),
        SimProvisioner::words);
  }

  private SimResource create(Turn turn, CreateRequest request) {
    return existing(turn, request).orElseGet(() -> new Making(turn, request, owner, traits).make());
  }

  /** What the key made before, where the cloud knows keys again. */
  private Optional<SimResource> existing(Turn turn, CreateRequest request) {
    List<SimResource> same =
        turn.world().thingsOf(request.marks().owner(), request.type(), request.key());
    return switch (identity) {
      case Identity.Lookup _ -> Optional.empty();
      case Identity.UniqueName _ -> {
        Optional<SimResource> named = turn.world().named(request.type(), request.key(), turn.now());
        if (named.isPresent() && !named.get().belongsTo(request.marks().owner())) {
          throw new BackendException.NameTaken(
              "the name %s belongs to %s, which another installation made"
                  .formatted(request.key(), named.get().id()),
              null);
        }
        yield named;
      }
      case Identity.Token _ -> {
        Optional<SimResource> made = same.stream().findFirst();
        if (made.isPresent()
            && made.get().life().over(turn.now())
            && !made.get().isRefused(turn.now())) {
          throw new BackendException.Gone(
              "%s, which the key %s made, is gone; a key makes one thing only"
                  .formatted(made.get().id(), request.key()),
              null);
        }
        yield made;
      }
    };
  }

  @Override
  public void delete(ResourceRef ref) {
    cloud.run(Operation.DELETE, words(ref), turn -> delete(turn, ref));
  }

  private static void delete(Turn turn, ResourceRef ref) {
    Instant now = turn.now();
    Optional<SimResource> found = turn.world().find(ref.id(), ref.type(), now);
    if (found.isEmpty()
        || found.get().life().deletedAt() != null
        || isTooNew(turn, found.get().life().createdAt())
        || turn.has(Fault.Kind.LOST_DELETE)) {
      return;
    }
    SimResource thing = found.get();
    requireUnused(turn, thing);
    Duration time =
        turn.find(Fault.Kind.SLOW_DELETE).map(Fault::lasts).orElse(turn.scenario().deleteTime());
    turn.world().put(thing.with(thing.life().deleted(now, now.plus(time))));
    turn.world()
        .jobsAt(thing.id())
        .forEach(job -> turn.world().put(job.with(job.ending().killed(now))));
  }

  private static void requireUnused(Turn turn, SimResource thing) {
    Instant now = turn.now();
    if (thing.type() == ResourceType.VOLUME && SimVolumes.isAttached(turn, thing)) {
      throw new BackendException.Transient(
          "the volume %s is attached to %s; detach it first"
              .formatted(thing.id(), thing.links().attachedTo()),
          null);
    }
    if (thing.type() == ResourceType.PLACEMENT_GROUP
        && turn.world().things().stream()
            .anyMatch(
                other ->
                    thing.id().equals(other.links().placementGroup()) && other.life().there(now))) {
      throw new BackendException.Transient(
          "the placement group %s has machines; delete them first".formatted(thing.id()), null);
    }
  }

  @Override
  public Optional<Found> describe(ResourceRef ref) {
    return inFolders(List.of(look(ref))).getFirst();
  }

  /** The same with folders for machines that are ready, and without those of machines gone. */
  private List<Optional<Found>> inFolders(List<Optional<Found>> found) {
    if (folders == null) {
      return found;
    }
    if (found.stream().anyMatch(Optional::isEmpty)) {
      folders.powerOffWhatIsGone();
    }
    return found.stream().map(one -> one.map(folders::booted)).toList();
  }

  private Optional<Found> look(ResourceRef ref) {
    return cloud.call(
        Operation.DESCRIBE,
        words(ref),
        turn -> described(turn, ref),
        found -> found.map(SimProvisioner::words).orElse("nothing"));
  }

  @Override
  public List<Optional<Found>> describe(List<ResourceRef> refs) {
    return inFolders(lookAtAll(refs));
  }

  private List<Optional<Found>> lookAtAll(List<ResourceRef> refs) {
    return cloud.call(
        Operation.DESCRIBE,
        refs.stream().map(SimProvisioner::words).toList().toString(),
        turn -> refs.stream().map(ref -> described(turn, ref)).toList(),
        found -> found.stream().filter(Optional::isPresent).count() + " of " + refs.size());
  }

  /** What is there or was refused, unless it is too new. */
  private Optional<Found> described(Turn turn, ResourceRef ref) {
    Instant now = turn.now();
    return turn.world()
        .findEver(ref.id(), ref.type())
        .filter(thing -> thing.life().there(now) || thing.isRefused(now))
        .filter(thing -> !isTooNew(turn, thing.life().createdAt()))
        .map(thing -> shown(thing, now));
  }

  /** Whether a look by id or key misses what was made then. */
  static boolean isTooNew(Turn turn, Instant madeAt) {
    return turn.now().isBefore(madeAt.plus(turn.lasts(Fault.Kind.LAGGING_DESCRIBE)));
  }

  @Override
  public int describedAtOnce() {
    return DESCRIBED_AT_ONCE;
  }

  @Override
  public Listing list(Owner whose) {
    Listing listing = listAll(whose);
    if (folders == null) {
      return listing;
    }
    folders.powerOffWhatIsGone();
    return Listing.all(listing.stream().map(folders::addressed).toList());
  }

  private Listing listAll(Owner whose) {
    return cloud.call(
        Operation.LIST,
        "owner=" + whose.installation(),
        turn ->
            Listing.all(
                turn.world().things().stream()
                    .filter(thing -> thing.belongsTo(whose))
                    .flatMap(thing -> listed(turn, thing).stream())
                    .toList()),
        found -> found.stream().map(SimProvisioner::words).toList().toString());
  }

  private Optional<Found> listed(Turn turn, SimResource thing) {
    Instant now = turn.now();
    if (now.isBefore(thing.life().createdAt().plus(lag(turn, identity)))) {
      return Optional.empty();
    }
    if (thing.life().there(now)) {
      return Optional.of(shown(thing, now));
    }
    Duration stale = turn.lasts(Fault.Kind.STALE_LIST);
    return thing.refusal() != null || thing.life().over(now.minus(stale))
        ? Optional.empty()
        : Optional.of(Shown.of(thing, Found.State.READY, now, cloud.skew()));
  }

  /** How long after they were made things are missing from a list. */
  static Duration lag(Turn turn, Identity identity) {
    Duration fault = turn.lasts(Fault.Kind.LAGGING_LIST);
    Duration usual =
        identity instanceof Identity.Lookup ? turn.scenario().visibleWithin() : Duration.ZERO;
    return fault.compareTo(usual) > 0 ? fault : usual;
  }

  @Override
  public boolean powerOffEndsBilling() {
    return true;
  }

  private Found shown(SimResource thing, Instant now) {
    return Shown.of(thing, now, cloud.skew());
  }

  static String words(ResourceRef ref) {
    return "%s %s".formatted(ref.type().word(), ref.id());
  }

  private static String words(Found found) {
    return found.ref().id() + " " + found.state();
  }
}
