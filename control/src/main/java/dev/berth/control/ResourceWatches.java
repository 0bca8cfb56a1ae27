package dev.berth.control;

import dev.berth.decisions.View;
import dev.berth.model.Endpoint;
import dev.berth.model.Pauses;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.MachineAddress;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Follows the machines and other things of one backend that we have, and tells what changed.
 * Derived from the state, never stored. A step machine: {@link #step} may be called by one thread
 * at a time.
 */
final class ResourceWatches {
  private static final System.Logger LOG = System.getLogger(ResourceWatches.class.getName());

  /** Things that are as they shall be are looked at so often. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  /**
   * What is coming or going is waited for and paid for: after so long it is looked at again, and
   * after twice as long each time until the pause is the usual one.
   */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

  /** More are not looked at in one step, so that what comes meanwhile does not wait for all. */
  private static final int MOST_AT_ONCE = 1000;

  private final String backend;
  private final @Nullable Provisioner provisioner;
  private final BiConsumer<String, ResourceObservation> changed;

  private final Absence absence;

  /** What is followed, by our keys. Guarded by this, as is all that it holds. */
  private Map<String, Followed> followed = Map.of();

  /** Rung when there is something new to look at. */
  private final Semaphore bell = new Semaphore(0);

  /**
   * Follows nothing yet.
   *
   * @param provisioner null where jobs are all that is bought
   * @param visibleWithin how long what was made may not be shown
   * @param changed hears how something is, whenever that is not what it was; that it is not there
   *     only when that is certain
   */
  ResourceWatches(
      String backend,
      @Nullable Provisioner provisioner,
      Duration visibleWithin,
      BiConsumer<String, ResourceObservation> changed) {
    this.absence = new Absence(visibleWithin);
    this.backend = backend;
    this.provisioner = provisioner;
    this.changed = changed;
  }

  /** One thing, and when it is looked at. */
  private static final class Followed {
    final String key;
    final ResourceRef ref;
    final boolean leaving;

    /** What was told last. */
    @Nullable ResourceObservation told;

    Instant at = Instant.EPOCH;
    Duration pause = FIRST_PAUSE;

    /** When it had been made at the latest; before it is known, when it was first looked at. */
    @Nullable Instant madeBy;

    /** How many looks in a row did not show it. */
    int misses;

    /** Whether it could not be seen with others, and is looked at by itself. */
    boolean alone;

    Followed(String key, ResourceRef ref, boolean leaving) {
      this.key = key;
      this.ref = ref;
      this.leaving = leaving;
    }

    boolean isChanging() {
      ResourceObservation last = told;
      return leaving
          || misses > 0
          || last == null
          || last.state() == ResourceObservation.State.CREATING
          || last.state() == ResourceObservation.State.LEAVING;
    }

    /** It was not shown. */
    void missed() {
      if (misses == 0) {
        // A second look soon tells whether that is so.
        pause = FIRST_PAUSE;
      }
      misses++;
    }

    void lookedAt(Instant now) {
      if (isChanging()) {
        at = now.plus(pause);
        pause = Pauses.next(pause, LOOK_EVERY);
      } else {
        at = now.plus(LOOK_EVERY);
        pause = FIRST_PAUSE;
      }
    }
  }

  /** Follows exactly what the view says is at the backend. Called by the loop's thread. */
  synchronized void follow(View view) {
    Map<String, Followed> now = new LinkedHashMap<>();
    boolean anythingNew = false;
    for (Resource resource : view.active(Resource.class)) {
      Resource.Ref ref = resource.ref();
      boolean leaving = resource.phase() == Resource.State.LEAVING;
      if (resource.type() == ResourceType.JOB
          || !resource.backend().equals(backend)
          || ref == null
          || !(leaving || resource.phase() == Resource.State.PRESENT)) {
        continue;
      }
      ResourceRef named = ActionCalls.ref(resource.type(), resource.id(), ref);
      Followed before = followed.get(resource.id());
      if (before == null || before.leaving != leaving || !before.ref.equals(named)) {
        Followed next = new Followed(resource.id(), named, leaving);
        if (before != null) {
          next.told = before.told;
          next.madeBy = before.madeBy;
        }
        if (resource.since() != null) {
          next.madeBy = resource.since();
        }
        now.put(resource.id(), next);
        anythingNew = true;
      } else {
        now.put(resource.id(), before);
      }
    }
    followed = now;
    if (anythingNew) {
      bell.release();
    }
  }

  /** When the next look is due; empty while there is nothing to look at. */
  synchronized Optional<Instant> next(Instant now) {
    return followed.values().stream()
        .map(one -> one.at)
        .min(Comparator.naturalOrder())
        .map(at -> at.isBefore(now) ? now : at);
  }

  /** Waits for something new to look at, at most so long. */
  void await(Duration atMost) throws InterruptedException {
    if (bell.tryAcquire(Math.max(0, atMost.toMillis()), TimeUnit.MILLISECONDS)) {
      bell.drainPermits();
    }
  }

  /** What was told may not have been heard: tells it all once more. */
  synchronized void forget() {
    for (Followed one : followed.values()) {
      one.told = null;
      one.at = Instant.EPOCH;
    }
  }

  /** Looks at those whose time it is, as many at once as the provider shows; tells changes once. */
  void step(Instant now) {
    Deque<Followed> due = due(now);
    while (provisioner != null && !due.isEmpty()) {
      List<Followed> some = some(due, provisioner.describedAtOnce());
      try {
        look(some, provisioner, now);
      } catch (BackendException.RateLimited e) {
        LOG.log(
            System.Logger.Level.INFO,
            "Things of " + backend + " are seen later: " + e.getMessage());
        putOff(Stream.concat(some.stream(), due.stream()), now.plus(e.delay()));
        return;
      }
    }
  }

  /** What is waited for comes first, and of the rest what was not looked at for longest. */
  private synchronized Deque<Followed> due(Instant now) {
    Deque<Followed> due =
        followed.values().stream()
            .filter(one -> !now.isBefore(one.at))
            .sorted(
                Comparator.comparing((Followed one) -> !one.isChanging())
                    .thenComparing(one -> one.at))
            .limit(MOST_AT_ONCE)
            .collect(Collectors.toCollection(ArrayDeque::new));
    for (Followed one : due) {
      one.at = now.plus(LOOK_EVERY);
      if (one.madeBy == null) {
        one.madeBy = now;
      }
    }
    return due;
  }

  private synchronized void putOff(Stream<Followed> those, Instant later) {
    those.forEach(one -> one.at = later);
  }

  /** The next ones that are looked at by one call. */
  private static List<Followed> some(Deque<Followed> due, int atOnce) {
    List<Followed> some = new ArrayList<>(List.of(due.removeFirst()));
    while (some.size() < atOnce
        && !some.getFirst().alone
        && !due.isEmpty()
        && !due.getFirst().alone) {
      some.add(due.removeFirst());
    }
    return some;
  }

  private void look(List<Followed> some, Provisioner at, Instant now) {
    List<Optional<Found>> found;
    try {
      found =
          some.size() == 1
              ? List.of(at.describe(some.getFirst().ref))
              : at.describe(some.stream().map(one -> one.ref).toList());
    } catch (BackendException.RateLimited e) {
      throw e;
    } catch (BackendException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "%s could not be seen: %s"
              .formatted(
                  some.size() == 1 ? some.getFirst().key : some.size() + " things of " + backend,
                  e.getMessage()));
      missed(some, now);
      return;
    }
    for (int i = 0; i < some.size(); i++) {
      Followed one = some.get(i);
      Optional<ResourceObservation> seen = found.get(i).map(ResourceWatches::observation);
      if (seen.isPresent()) {
        seen(one, seen.get(), now);
      } else {
        missing(one, now);
      }
    }
  }

  /** One that cannot be seen must not hide the others: next time each is looked at by itself. */
  private synchronized void missed(List<Followed> some, Instant now) {
    for (Followed one : some) {
      one.lookedAt(now);
      one.alone = true;
      if (some.size() > 1) {
        one.at = now;
      }
    }
  }

  /** It is not shown, which means that it is gone only when that is certain. */
  private void missing(Followed one, Instant now) {
    synchronized (this) {
      one.alone = false;
      one.missed();
      if (!absence.isCertain(one.misses, Objects.requireNonNull(one.madeBy), now)) {
        one.lookedAt(now);
        return;
      }
    }
    tell(one, ResourceObservation.ABSENT, now);
  }

  private void seen(Followed one, ResourceObservation observation, Instant now) {
    synchronized (this) {
      one.alone = false;
      one.misses = 0;
    }
    tell(one, observation, now);
  }

  private void tell(Followed one, ResourceObservation observation, Instant now) {
    synchronized (this) {
      boolean news = followed.get(one.key) == one && !observation.equals(one.told);
      if (news) {
        one.told = observation;
      }
      one.lookedAt(now);
      if (!news) {
        return;
      }
    }
    changed.accept(one.key, observation);
  }

  private static ResourceObservation observation(Found found) {
    ResourceObservation.State state =
        switch (found.state()) {
          case CREATING -> ResourceObservation.State.CREATING;
          case READY -> ResourceObservation.State.READY;
          case LEAVING -> ResourceObservation.State.LEAVING;
          case FAILED -> ResourceObservation.State.FAILED;
          case OFF -> ResourceObservation.State.OFF;
          case REFUSED -> ResourceObservation.State.REFUSED;
        };
    return new ResourceObservation(
        state, endpoint(found.access()), found.interruptedAt(), found.detail(), found.refusal());
  }

  private static @Nullable Endpoint endpoint(@Nullable MachineAddress access) {
    if (access == null) {
      return null;
    }
    MachineAddress.Jump jump = access.jump();
    return new Endpoint(
        access.host(),
        access.port(),
        access.user(),
        access.privateAddress(),
        jump == null ? null : new Endpoint.Jump(jump.host(), jump.port(), jump.user()),
        access.hostKey());
  }
}
