package dev.berth.control;

import dev.berth.decisions.View;
import dev.berth.model.JobObservation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows the jobs of one backend or machine that are or may be there, and tells what changed.
 * Derived from the state, never stored. A step machine: {@link #step} may be called by one thread
 * at a time.
 */
public final class JobWatches {
  private static final System.Logger LOG = System.getLogger(JobWatches.class.getName());

  /** Jobs that nobody speaks of are looked at so often: what died says nothing. */
  private static final Duration LOOK_AT_ALL_EVERY = Duration.ofSeconds(5);

  private final String backend;
  private final Supplier<JobRuntime> runtime;
  private final Predicate<Resource> ours;
  private final BiConsumer<String, JobObservation> changed;
  private final Consumer<String> unseen;
  private final Set<String> followed = ConcurrentHashMap.newKeySet();

  /** Those whose start was reported, so that the backend must know them. */
  private final Set<String> started = ConcurrentHashMap.newKeySet();

  private final Map<String, JobObservation> told = new ConcurrentHashMap<>();

  /** Those that were started and that the backend does not show, with what was seen of that. */
  private final Map<String, Missing> missing = new ConcurrentHashMap<>();

  private final Absence absence;
  private final Set<String> signalled = ConcurrentHashMap.newKeySet();

  /** Rung when there is something to look at. */
  private final Semaphore bell = new Semaphore(0);

  /** When all are looked at next. Only the stepping thread touches it. */
  private Instant allAt = Instant.EPOCH;

  /** When the current step began. Only the stepping thread touches it. */
  private Instant now = Instant.EPOCH;

  /** A job that is not shown: since which look, and by how many looks in a row. */
  private record Missing(Instant since, int looks) {
    Missing once() {
      return new Missing(since, looks + 1);
    }
  }

  /** Follows nothing yet; what is not shown is not there. */
  public JobWatches(
      String backend,
      Supplier<JobRuntime> runtime,
      Predicate<Resource> ours,
      BiConsumer<String, JobObservation> changed,
      Consumer<String> unseen) {
    this(backend, runtime, ours, changed, unseen, Duration.ZERO);
  }

  /**
   * Follows nothing yet.
   *
   * @param runtime who runs the jobs; fails while nobody answers
   * @param ours which of the jobs of attempts are followed here
   * @param changed hears how a job is, whenever that is not what it was
   * @param unseen hears of each look at a job that nobody answered
   * @param visibleWithin how long a job that was started may not be shown; zero where reads never
   *     lag, and one look is enough
   */
  public JobWatches(
      String backend,
      Supplier<JobRuntime> runtime,
      Predicate<Resource> ours,
      BiConsumer<String, JobObservation> changed,
      Consumer<String> unseen,
      Duration visibleWithin) {
    this.absence = new Absence(visibleWithin);
    this.backend = backend;
    this.runtime = runtime;
    this.ours = ours;
    this.changed = changed;
    this.unseen = unseen;
  }

  String backend() {
    return backend;
  }

  /** Lets the backend ring; closed with the returned handle. */
  AutoCloseable open() {
    return runtime.get().watch(this::signal);
  }

  /** Follows exactly what the view says is at the backend. Called by the loop's thread. */
  void follow(View view) {
    Set<String> now = new HashSet<>();
    for (Resource resource : view.active(Resource.class)) {
      if (isFollowed(resource)) {
        now.add(resource.ownerId());
      }
    }
    followed.retainAll(now);
    started.retainAll(now);
    told.keySet().retainAll(now);
    missing.keySet().retainAll(now);
    view.active(Resource.class).forEach(this::follow);
  }

  /** Follows one resource as it is now, or no longer. Called by the loop's thread. */
  void follow(Resource resource) {
    if (!isFollowed(resource)) {
      unfollow(resource);
      return;
    }
    String attemptId = resource.ownerId();
    boolean isNew = followed.add(attemptId);
    boolean isThere =
        resource.phase() == Resource.State.PRESENT || resource.phase() == Resource.State.LEAVING;
    boolean came = isThere && started.add(attemptId);
    if (!isThere) {
      started.remove(attemptId);
    }
    if (isNew || came) {
      signalled.add(attemptId);
      bell.release();
    }
  }

  /** Follows a resource no longer. Called by the loop's thread. */
  void unfollow(Resource resource) {
    if (isOurs(resource)) {
      followed.remove(resource.ownerId());
      started.remove(resource.ownerId());
      told.remove(resource.ownerId());
      missing.remove(resource.ownerId());
    }
  }

  private boolean isFollowed(Resource resource) {
    return isOurs(resource) && resource.active() && resource.phase() != Resource.State.INTENDED;
  }

  /** Whether it is a job that belongs to an attempt, and is followed here. */
  private boolean isOurs(Resource resource) {
    return resource.type() == ResourceType.JOB
        && !resource.ownerId().isEmpty()
        && ours.test(resource);
  }

  /** The backend says that something about a job changed. Safe for any thread. */
  void signal(String attemptId) {
    if (followed.contains(attemptId)) {
      signalled.add(attemptId);
      bell.release();
    }
  }

  /**
   * Waits until there is something to look at; after so long without a word, that is everything.
   */
  void awaitSignal(Duration atMost) throws InterruptedException {
    if (!bell.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      signalAll();
    }
    bell.drainPermits();
  }

  /** Waits until there is something to look at, or until it is time to look at all. */
  void awaitNext(Instant now) throws InterruptedException {
    long left = Duration.between(now, allAt).toMillis();
    awaitSignal(Duration.ofMillis(Math.clamp(left, 0, LOOK_AT_ALL_EVERY.toMillis())));
  }

  /** When the next step has something to look at; empty while nothing is followed. */
  Optional<Instant> next(Instant now) {
    if (!signalled.isEmpty()) {
      return Optional.of(now);
    }
    return followed.isEmpty() ? Optional.empty() : Optional.of(allAt.isBefore(now) ? now : allAt);
  }

  /** Looks at those that were signalled, and at all when it is time. */
  void step(Instant now) {
    this.now = now;
    if (!now.isBefore(allAt)) {
      // Also where there is always something else to look at.
      signalAll();
      allAt = now.plus(LOOK_AT_ALL_EVERY);
    }
    try {
      step();
    } catch (BackendException.RateLimited e) {
      // Nobody was asked, so nobody is out of sight.
      LOG.log(
          System.Logger.Level.INFO,
          "The jobs of " + backend + " are seen later: " + e.getMessage());
      allAt = now.plus(e.delay());
    }
  }

  /** What was told may not have been heard: tells it all once more. */
  void forget() {
    told.clear();
    signalAll();
    bell.release();
  }

  /** Looks at all that are followed the next time, because what nobody says can change too. */
  void signalAll() {
    signalled.addAll(followed);
  }

  /**
   * Looks at those that were signalled; tells each change once. Returns how many were looked at.
   *
   * @throws BackendException.RateLimited where all are looked at later
   */
  int step() {
    List<String> ids = List.copyOf(signalled);
    if (ids.isEmpty()) {
      return 0;
    }
    ids.forEach(signalled::remove);
    Set<String> startedBefore = Set.copyOf(started);
    List<@Nullable JobObservation> observations = look(ids);
    for (int i = 0; i < ids.size(); i++) {
      JobObservation observation = observations.get(i);
      if (observation == null) {
        // Also where it was told before: what is seen next may be what was seen last.
        told.remove(ids.get(i));
        unseen.accept(ids.get(i));
        continue;
      }
      if (observation instanceof JobObservation.Absent && !startedBefore.contains(ids.get(i))) {
        // Its start may have finished since the look; what we saw would be taken for a loss.
        continue;
      }
      if (!isCertain(ids.get(i), observation)) {
        continue;
      }
      if (!observation.equals(told.put(ids.get(i), observation))) {
        changed.accept(ids.get(i), observation);
      }
      if (!followed.contains(ids.get(i))) {
        // Its end was committed meanwhile; nobody else would take this out again.
        told.remove(ids.get(i));
      }
    }
    return ids.size();
  }

  /** Whether what was seen is so: a job that is not shown may be there all the same. */
  private boolean isCertain(String id, JobObservation observation) {
    if (!(observation instanceof JobObservation.Absent)) {
      missing.remove(id);
      return true;
    }
    if (absence.visibleWithin().isZero()) {
      return true;
    }
    // It was started before the first of these looks.
    Missing looked = missing.getOrDefault(id, new Missing(now, 0)).once();
    missing.put(id, looked);
    return absence.isCertain(looked.looks(), looked.since(), now);
  }

  /** How jobs are, with null for those that cannot be seen now: one must not hide the others. */
  private List<@Nullable JobObservation> look(List<String> ids) {
    List<@Nullable JobObservation> seen = new ArrayList<>();
    try {
      seen.addAll(runtime.get().observe(ids));
      return seen;
    } catch (BackendException.RateLimited e) {
      // To ask for each by itself would be no help.
      throw e;
    } catch (BackendException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The jobs of " + backend + " could not be seen together: " + e.getMessage());
    }
    for (String id : ids) {
      try {
        seen.add(runtime.get().observe(List.of(id)).getFirst());
      } catch (BackendException.RateLimited e) {
        throw e;
      } catch (BackendException e) {
        LOG.log(System.Logger.Level.WARNING, id + " could not be seen: " + e.getMessage());
        seen.add(null);
      }
    }
    return seen;
  }
}
