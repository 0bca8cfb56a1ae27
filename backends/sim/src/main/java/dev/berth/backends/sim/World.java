package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Operation;
import dev.berth.model.ResourceType;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a simulated cloud holds. Not safe for threads: whoever has it holds the lock of its
 * {@link CloudState}.
 */
final class World {
  /** How long a cloud remembers the keys of what is gone. */
  static final Duration MEMORY = Duration.ofHours(1);

  /** Gone things are forgotten each time that so many were made. */
  private static final int FORGET_EVERY = 256;

  private final Instant openedAt;
  private final Map<Operation, Long> calls = new EnumMap<>(Operation.class);
  private final Register<SimResource> things = new Register<>();
  private final Register<SimJob> jobs = new Register<>();
  private final Set<String> waiting = new LinkedHashSet<>();
  private final Set<String> networks = new LinkedHashSet<>();
  private Instant admittedUntil;
  private Instant launchedUntil;
  private long made;
  private long forgottenAt;
  private boolean changed;

  World(Instant openedAt) {
    this.openedAt = openedAt;
    this.admittedUntil = openedAt;
    this.launchedUntil = openedAt;
    // A new world is worth storing, so that its time begins once.
    this.changed = true;
  }

  /** What is stored of a world. */
  record Saved(
      Instant openedAt,
      Map<Operation, Long> calls,
      List<SimResource> things,
      List<SimJob> jobs,
      List<String> networks,
      Instant admittedUntil,
      long made,
      @Nullable Instant launchedUntil) {}

  /**
   * What became different: of things and jobs those that were written, as they are now, and the ids
   * of those that were dropped; of the rest all.
   */
  record Change(
      Map<Operation, Long> calls,
      List<SimResource> things,
      List<String> droppedThings,
      List<SimJob> jobs,
      List<String> droppedJobs,
      List<String> networks,
      Instant admittedUntil,
      long made,
      @Nullable Instant launchedUntil) {}

  static World of(Saved saved) {
    World world = new World(saved.openedAt());
    world.calls.putAll(saved.calls());
    saved.things().forEach(world::put);
    saved.jobs().forEach(world::put);
    world.networks.addAll(saved.networks());
    world.admittedUntil = saved.admittedUntil();
    world.made = saved.made();
    world.launchedUntil = Objects.requireNonNullElse(saved.launchedUntil(), saved.openedAt());
    world.forgottenAt = saved.made();
    world.forgetChange();
    return world;
  }

  /** Makes a change that was stored by somebody else. */
  void apply(Change change) {
    change.calls().forEach((operation, count) -> calls.merge(operation, count, Math::max));
    change.things().forEach(this::put);
    change.jobs().forEach(this::put);
    change.droppedJobs().forEach(id -> job(id).ifPresent(this::drop));
    change.droppedThings().forEach(id -> things.find(id).ifPresent(this::drop));
    networks.clear();
    networks.addAll(change.networks());
    admittedUntil = change.admittedUntil();
    made = change.made();
    launchedUntil = Objects.requireNonNullElse(change.launchedUntil(), launchedUntil);
    forgottenAt = change.made();
    forgetChange();
  }

  Saved saved() {
    return new Saved(
        openedAt,
        new EnumMap<>(calls),
        List.copyOf(things.values()),
        List.copyOf(jobs.values()),
        List.copyOf(networks),
        admittedUntil,
        made,
        launchedUntil);
  }

  /** How long the cloud has been there. */
  Duration age(Instant now) {
    return Duration.between(openedAt, now);
  }

  Instant openedAt() {
    return openedAt;
  }

  /** Until when all places that came back were given to those who waited. */
  Instant admittedUntil() {
    return admittedUntil;
  }

  /** Not worth storing by itself: it only saves looking at the same times again. */
  void admittedUntil(Instant time) {
    admittedUntil = time;
  }

  /** When the launches that were asked for have used up what the account may ask for by then. */
  Instant launchedUntil() {
    return launchedUntil;
  }

  void launchedUntil(Instant time) {
    launchedUntil = time;
    changed = true;
  }

  /** Counts a call; the number of this one, from 1. */
  long count(Operation operation) {
    // A fault at one call must not come again at each restart; looking is not worth a write.
    changed |= operation.isChanging();
    return calls.merge(operation, 1L, Long::sum);
  }

  /** Counts no less than another state of the same world did. */
  void countAtLeast(World other) {
    other.calls.forEach((operation, count) -> calls.merge(operation, count, Math::max));
  }

  /** A number that nothing has had. */
  long nextNumber() {
    changed = true;
    return ++made;
  }

  /** Whether there is something new to store. */
  boolean hasChanged() {
    return changed;
  }

  /** What is new and to be stored, told once; null where there is nothing. */
  @Nullable Change takeChange() {
    if (!changed) {
      return null;
    }
    Change change =
        new Change(
            new EnumMap<>(calls),
            things.written(),
            things.dropped(),
            jobs.written(),
            jobs.dropped(),
            List.copyOf(networks),
            admittedUntil,
            made,
            launchedUntil);
    forgetChange();
    return change;
  }

  /** Nothing of what is different now is to be told. */
  void forgetChange() {
    changed = false;
    things.settle();
    jobs.settle();
  }

  void put(SimResource thing) {
    things.put(thing.id(), thing.key(), thing);
    changed = true;
  }

  void put(SimJob job) {
    jobs.put(job.id(), job.key(), job);
    // One that was ended while it waited is over: whoever ended it has given out all places before.
    if (job.course().acquiredAt() == null && job.ending().equals(SimJob.Ending.NONE)) {
      waiting.add(job.id());
    } else {
      waiting.remove(job.id());
    }
    changed = true;
  }

  void addNetwork(String id) {
    changed |= networks.add(id);
  }

  void removeNetwork(String id) {
    changed |= networks.remove(id);
  }

  Set<String> networks() {
    return Collections.unmodifiableSet(networks);
  }

  Collection<SimResource> things() {
    return things.values();
  }

  Collection<SimJob> jobs() {
    return jobs.values();
  }

  /** The jobs that were made after a number was given out, the newest first. */
  List<SimJob> jobsAfter(long number) {
    List<SimJob> newer = new ArrayList<>();
    for (SimJob job : jobs.newestFirst()) {
      if (SimIds.number(job.id()) <= number) {
        break;
      }
      newer.add(job);
    }
    return newer;
  }

  /** The last number that was given out. */
  long lastNumber() {
    return made;
  }

  /** The jobs that wait for a place, the first one first. */
  List<SimJob> waiting(Instant now) {
    return waiting.stream()
        .flatMap(id -> jobs.find(id).stream())
        .filter(job -> job.waiting(now))
        .toList();
  }

  boolean somebodyWaits() {
    return !waiting.isEmpty();
  }

  /** A thing that is there. */
  Optional<SimResource> find(@Nullable String id, ResourceType type, Instant now) {
    return Optional.ofNullable(id)
        .flatMap(things::find)
        .filter(thing -> thing.type() == type && thing.life().there(now));
  }

  /** A thing, also one that is gone and not forgotten. */
  Optional<SimResource> findEver(String id, ResourceType type) {
    return things.find(id).filter(thing -> thing.type() == type);
  }

  /** A job by the cloud's id, also one that is removed and not forgotten. */
  Optional<SimJob> job(String id) {
    return jobs.find(id);
  }

  /** A job by the cloud's id, while it is there. */
  Optional<SimJob> findJob(String id, Instant now) {
    return job(id).filter(job -> visible(job, now));
  }

  /** What has a name, where names are unique, whoever made it. */
  Optional<SimResource> named(ResourceType type, String key, Instant now) {
    return things.ofKey(key).stream()
        .filter(thing -> thing.type() == type && !thing.life().over(now))
        .findFirst();
  }

  /** All things of a key, also those that are gone and not forgotten. */
  List<SimResource> thingsOf(Owner owner, ResourceType type, String key) {
    return things.ofKey(key).stream()
        .filter(thing -> thing.type() == type && thing.belongsTo(owner))
        .toList();
  }

  /** All jobs of a key, also those that are removed and not forgotten. */
  List<SimJob> jobsOf(Owner owner, String key) {
    return jobs.ofKey(key).stream().filter(job -> job.belongsTo(owner.installation())).toList();
  }

  /** The jobs that are at home at a machine or group. */
  List<SimJob> jobsAt(String home) {
    return jobs.values().stream().filter(job -> home.equals(job.home())).toList();
  }

  /** Whether the cloud still knows a job: it was not removed, and what held it was not deleted. */
  boolean visible(SimJob job, Instant now) {
    if (job.removedAt() != null || now.isBefore(job.course().askedAt())) {
      return false;
    }
    String home = job.home();
    if (home == null) {
      return true;
    }
    return things
        .find(home)
        .filter(thing -> thing.life().deletedAt() == null || !thing.life().over(now))
        .isPresent();
  }

  /** Forgets what has been gone for long, now and then. */
  void forget(Instant now) {
    // Counted from the first thing ever made, so that a cloud that was read again forgets the same.
    if (made / FORGET_EVERY == forgottenAt / FORGET_EVERY) {
      return;
    }
    forgottenAt = made;
    Instant horizon = now.minus(MEMORY);
    jobs.values().stream()
        .filter(job -> !visible(job, now) && Life.passed(lastSeen(job), horizon))
        .toList()
        .forEach(this::drop);
    things.values().stream()
        .filter(thing -> thing.life().over(horizon) && jobsAt(thing.id()).isEmpty())
        .toList()
        .forEach(this::drop);
  }

  private static Instant lastSeen(SimJob job) {
    return job.removedAt() != null
        ? job.removedAt()
        : JobEnd.of(job).map(JobEnd::at).orElse(job.course().askedAt());
  }

  private void drop(SimJob job) {
    jobs.drop(job.id(), job.key());
    waiting.remove(job.id());
  }

  private void drop(SimResource thing) {
    things.drop(thing.id(), thing.key());
  }
}
