package dev.berth.control;

import dev.berth.decisions.View;
import dev.berth.model.Resource;
import dev.berth.model.Sight;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the machines and other things of one backend that we have, and tells what changed.
 * Derived from the state, never stored. A step machine: {@link #step} may be called by one thread
 * at a time.
 */
final class ThingWatches {
  private static final System.Logger LOG = System.getLogger(ThingWatches.class.getName());

  /** Things are looked at so often. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private final String backend;
  private final @Nullable Provisioner provisioner;
  private final BiConsumer<String, Sight> changed;

  /** What is followed, by our keys. Guarded by this. */
  private Map<String, ResourceRef> followed = Map.of();

  /** What was told last. Guarded by this. */
  private final Map<String, Sight> told = new HashMap<>();

  /** Rung when there is something new to look at. */
  private final Semaphore bell = new Semaphore(0);

  /** When it is looked next. Guarded by this. */
  private Instant at = Instant.EPOCH;

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

  /** Follows exactly what the view says is at the backend. Called by the loop's thread. */
  synchronized void follow(View view) {
    Map<String, ResourceRef> now = new LinkedHashMap<>();
    for (Resource resource : view.active(Resource.class)) {
      Resource.Ref ref = resource.ref();
      if (resource.type() != Resource.Type.JOB
          && resource.backend().equals(backend)
          && ref != null
          && (resource.phase() == Resource.State.PRESENT
              || resource.phase() == Resource.State.LEAVING)) {
        now.put(resource.id(), ActionCalls.ref(resource.type(), resource.id(), ref));
      }
    }
    if (!followed.keySet().containsAll(now.keySet())) {
      at = Instant.EPOCH;
      bell.release();
    }
    followed = now;
    told.keySet().retainAll(now.keySet());
  }

  /** When the next look is due; empty while there is nothing to look at. */
  synchronized Optional<Instant> next(Instant now) {
    return followed.isEmpty() ? Optional.empty() : Optional.of(at.isBefore(now) ? now : at);
  }

  /** Waits for something new to look at, at most so long. */
  void await(Duration atMost) throws InterruptedException {
    if (bell.tryAcquire(Math.max(0, atMost.toMillis()), TimeUnit.MILLISECONDS)) {
      bell.drainPermits();
    }
  }

  /** What was told may not have been heard: tells it all once more. */
  synchronized void forget() {
    told.clear();
    at = Instant.EPOCH;
  }

  /** Looks at all that are followed, where it is time; tells each change once. */
  void step(Instant now) {
    Map<String, ResourceRef> all;
    synchronized (this) {
      if (now.isBefore(at)) {
        return;
      }
      at = now.plus(LOOK_EVERY);
      all = followed;
    }
    all.forEach(this::look);
  }

  private void look(String key, ResourceRef ref) {
    if (provisioner == null) {
      return;
    }
    Sight sight;
    try {
      sight = provisioner.describe(ref).map(ThingWatches::sight).orElse(Sight.ABSENT);
    } catch (BackendException e) {
      // The next look is the retry.
      LOG.log(System.Logger.Level.WARNING, key + " could not be seen: " + e.getMessage());
      return;
    }
    synchronized (this) {
      if (!followed.containsKey(key) || sight.equals(told.put(key, sight))) {
        return;
      }
    }
    changed.accept(key, sight);
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
