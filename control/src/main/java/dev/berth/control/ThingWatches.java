package dev.berth.control;

import dev.berth.decisions.View;
import dev.berth.model.Pauses;
import dev.berth.model.Resource;
import dev.berth.model.Sight;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
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
final class ThingWatches {
  private static final System.Logger LOG = System.getLogger(ThingWatches.class.getName());

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
  private final BiConsumer<String, Sight> changed;

  /** What is followed, by our keys. Guarded by this, as is all that it holds. */
  private Map<String, Followed> followed = Map.of();

  /** Rung when there is something new to look at. */
  private final Semaphore bell = new Semaphore(0);

  /**
   * Follows nothing yet.
   *
   * @param provisioner null where jobs are all that is bought
   */
  ThingWatches(
      String backend, @Nullable Provisioner provisioner, BiConsumer<String, Sight> changed) {
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
    @Nullable Sight told;

    Instant at = Instant.EPOCH;
    Duration pause = FIRST_PAUSE;

    /** Whether it could not be seen with others, and is looked at by itself. */
    boolean alone;

    Followed(String key, ResourceRef ref, boolean leaving) {
      this.key = key;
      this.ref = ref;
      this.leaving = leaving;
    }

    boolean isChanging() {
      Sight last = told;
      return leaving
          || last == null
          || last.state() == Sight.State.CREATING
          || last.state() == Sight.State.LEAVING;
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
      if (resource.type() == Resource.Type.JOB
          || !resource.backend().equals(backend)
          || ref == null
          || !(leaving || resource.phase() == Resource.State.PRESENT)) {
        continue;
      }
      ResourceRef named = ActionCalls.ref(resource.type(), resource.id(), ref);
      Followed before = followed.get(resource.id());
      if (before == null || before.leaving != leaving || !before.ref.equals(named)) {
        Followed next = new Followed(resource.id(), named, leaving);
        next.told = before == null ? null : before.told;
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
    due.forEach(one -> one.at = now.plus(LOOK_EVERY));
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
      seen(some.get(i), found.get(i).map(ThingWatches::sight).orElse(Sight.ABSENT), now);
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

  private void seen(Followed one, Sight sight, Instant now) {
    synchronized (this) {
      one.alone = false;
      boolean news = followed.get(one.key) == one && !sight.equals(one.told);
      if (news) {
        one.told = sight;
      }
      one.lookedAt(now);
      if (!news) {
        return;
      }
    }
    changed.accept(one.key, sight);
  }

  private static Sight sight(Found found) {
    Sight.State state =
        switch (found.state()) {
          case CREATING -> Sight.State.CREATING;
          case READY -> Sight.State.READY;
          case LEAVING -> Sight.State.LEAVING;
          case FAILED -> Sight.State.FAILED;
          case OFF -> Sight.State.OFF;
        };
    return new Sight(state, found.host(), found.interruptedAt(), found.detail());
  }
}
