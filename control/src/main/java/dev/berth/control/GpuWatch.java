package dev.berth.control;

import dev.berth.decisions.View;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobStatus;
import dev.berth.model.ResourceVector;
import dev.berth.model.config.UtilizationPolicy;
import dev.berth.spi.BackendException;
import dev.berth.spi.GpuMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks how busy the accelerators of those jobs of one backend or machine are that have a
 * utilisation policy, and tells which of them idled for as long as theirs says. Derived from the
 * state, never stored, so that a new server counts anew. A step machine: {@link #step} may be
 * called by one thread at a time.
 */
final class GpuWatch {
  private static final System.Logger LOG = System.getLogger(GpuWatch.class.getName());

  /** Jobs are looked at so often. */
  static final Duration LOOK_EVERY = Duration.ofSeconds(10);

  /** A backend is not asked for more jobs than this by one call. */
  static final int MOST_AT_ONCE = 100;

  /** A window begins anew when one of this many parts of it passes without a look. */
  private static final int PARTS_OF_A_WINDOW = 4;

  /** Where nothing is followed, somebody rings. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final String backend;
  private final Predicate<Attempt> ours;
  private final GpuMetrics metrics;
  private final InstantSource clock;
  private final Consumer<String> idled;

  /** What is followed, by attempt. Guarded by this. */
  private final Map<String, Followed> followed = new LinkedHashMap<>();

  /** How those that are followed have been. Only the stepping thread touches it. */
  private final Map<String, Idling> idling = new HashMap<>();

  /** Rung when there is something new to look at. */
  private final Semaphore bell = new Semaphore(0);

  /** When it is looked next. Guarded by this. */
  private Instant at = Instant.EPOCH;

  private record Followed(GpuMetrics.Holder holder, UtilizationPolicy policy) {}

  /**
   * How the accelerators of a job have been.
   *
   * @param seenAt when they were last looked at
   * @param since from when on each was used too little without a break; null for those that were
   *     not at the last look
   */
  private record Idling(Instant seenAt, List<@Nullable Instant> since) {}

  /**
   * Follows nothing yet.
   *
   * @param ours which attempts are followed here while they run
   * @param idled hears at each look of the attempts one of whose accelerators was used too little
   *     for the whole window, until they are not followed any more
   */
  GpuWatch(
      String backend,
      Predicate<Attempt> ours,
      GpuMetrics metrics,
      InstantSource clock,
      Consumer<String> idled) {
    this.backend = backend;
    this.ours = ours;
    this.metrics = metrics;
    this.clock = clock;
    this.idled = idled;
  }

  /** One of all jobs of a backend that runs them itself. */
  GpuWatch(String backend, GpuMetrics metrics, InstantSource clock, Consumer<String> idled) {
    this(backend, attempt -> backend.equals(attempt.backend()), metrics, clock, idled);
  }

  /** Follows exactly those of some that run here and have a policy. Called by the loop's thread. */
  synchronized void follow(Collection<Attempt> attempts, View view) {
    Set<String> before = Set.copyOf(followed.keySet());
    followed.clear();
    attempts.forEach(attempt -> put(attempt, view));
    if (!before.containsAll(followed.keySet())) {
      bell.release();
    }
  }

  /** Follows one attempt as it is now, or no longer. Called by the loop's thread. */
  synchronized void follow(Attempt attempt, View view) {
    boolean known = followed.remove(attempt.id()) != null;
    put(attempt, view);
    if (!known && followed.containsKey(attempt.id())) {
      bell.release();
    }
  }

  private void put(Attempt attempt, View view) {
    if (attempt.status() != JobStatus.RUNNING || !ours.test(attempt)) {
      return;
    }
    UtilizationPolicy policy =
        view.find(Job.class, attempt.jobId()).map(job -> job.spec().utilization()).orElse(null);
    if (policy != null) {
      followed.put(
          attempt.id(),
          new Followed(new GpuMetrics.Holder(attempt.id(), devices(attempt, view)), policy));
    }
  }

  /** Those that it was given of its machine; none where it has what its offer has. */
  static Set<String> devices(Attempt attempt, View view) {
    return Optional.ofNullable(attempt.instanceId())
        .flatMap(id -> view.find(Instance.class, id))
        .flatMap(instance -> Optional.ofNullable(instance.allocations().get(attempt.id())))
        .map(ResourceVector::devices)
        .orElse(Set.of());
  }

  /** When the next look is due; empty while there is nothing to look at. */
  synchronized Optional<Instant> next(Instant now) {
    return followed.isEmpty() ? Optional.empty() : Optional.of(at.isBefore(now) ? now : at);
  }

  /** Waits until it is time to look, or until there is something new to look at. */
  void await() throws InterruptedException {
    Instant now = clock.instant();
    Duration left = next(now).map(due -> Duration.between(now, due)).orElse(LONGEST_WAIT);
    if (bell.tryAcquire(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS)) {
      bell.drainPermits();
    }
  }

  /** Looks at all that are followed, where it is time. */
  void step() {
    List<Followed> all;
    synchronized (this) {
      Instant now = clock.instant();
      if (now.isBefore(at)) {
        return;
      }
      at = now.plus(LOOK_EVERY);
      all = List.copyOf(followed.values());
      idling.keySet().retainAll(followed.keySet());
    }
    for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
      look(all.subList(from, Math.min(all.size(), from + MOST_AT_ONCE)));
    }
  }

  private void look(List<Followed> jobs) {
    Instant asked = clock.instant();
    Map<String, List<Integer>> told = ask(jobs);
    Instant answered = clock.instant();
    for (Followed job : jobs) {
      String id = job.holder().attemptId();
      List<Integer> percents = told.getOrDefault(id, List.of());
      if (percents.isEmpty()) {
        // Nobody is ended for what nobody knows.
        idling.remove(id);
        continue;
      }
      Idling now = after(idling.get(id), job.policy(), percents, asked, answered);
      idling.put(id, now);
      Instant start = asked.minus(job.policy().timeWindow());
      if (now.since().stream().anyMatch(since -> since != null && !since.isAfter(start))
          && isFollowed(id)) {
        idled.accept(id);
      }
    }
  }

  private synchronized boolean isFollowed(String attemptId) {
    return followed.containsKey(attemptId);
  }

  private Map<String, List<Integer>> ask(List<Followed> jobs) {
    try {
      return metrics.utilisation(jobs.stream().map(Followed::holder).toList());
    } catch (BackendException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "How busy the accelerators of " + backend + " are is not known: " + e.getMessage());
      return Map.of();
    } catch (RuntimeException | LinkageError e) {
      // Whatever went wrong, nothing is known of these jobs, and the others are asked for.
      LOG.log(System.Logger.Level.WARNING, "A look at accelerators of " + backend + " failed", e);
      return Map.of();
    }
  }

  /** What is known after a look: an idle time begins with the answer and lasts to the question. */
  private static Idling after(
      @Nullable Idling before,
      UtilizationPolicy policy,
      List<Integer> percents,
      Instant asked,
      Instant answered) {
    boolean goesOn =
        before != null
            && before.since().size() == percents.size()
            && !before
                .seenAt()
                .plus(policy.timeWindow().dividedBy(PARTS_OF_A_WINDOW))
                .isBefore(asked);
    List<@Nullable Instant> since = new ArrayList<>();
    for (int i = 0; i < percents.size(); i++) {
      Instant earlier = goesOn && before != null ? before.since().get(i) : null;
      since.add(
          percents.get(i) >= policy.minGpuUtilization()
              ? null
              : earlier == null ? answered : earlier);
    }
    return new Idling(answered, since);
  }
}
