package dev.berth.control;

import dev.berth.decisions.View;
import dev.berth.model.Attempt;
import dev.berth.model.Job;
import dev.berth.model.JobStatus;
import dev.berth.model.Run;
import dev.berth.spi.BackendException;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobUsage;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks what the running jobs of one backend or machine use, for whoever wants to see it. Nothing
 * is decided by it and nothing is stored, so that a new server begins anew. Whoever reads the
 * figures waits for no backend: one that hangs has its own thread, and its figures are left out
 * when they are too old. A step machine: {@link #step} may be called by one thread at a time.
 */
final class UsageWatch {
  private static final System.Logger LOG = System.getLogger(UsageWatch.class.getName());

  /** Jobs are looked at so often. */
  static final Duration LOOK_EVERY = Duration.ofSeconds(10);

  /** Those that have just begun, and of which nothing is known yet, so often. */
  static final Duration LOOK_SOON = Duration.ofSeconds(2);

  /** For how long after its start a job is new. */
  private static final Duration NEW_FOR = Duration.ofSeconds(30);

  /** What was seen longer ago than this says nothing of now. */
  static final Duration FRESH_FOR = Duration.ofMinutes(1);

  /** A backend is not asked for more jobs than this by one call. */
  static final int MOST_AT_ONCE = 100;

  /** Where nothing is followed, somebody rings. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final String backend;
  private final Predicate<Attempt> ours;
  private final Function<List<String>, Map<String, JobUsage>> usage;
  private final Optional<GpuMetrics> accelerators;
  private final InstantSource clock;

  /** What is followed, by attempt. Guarded by this. */
  private final Map<String, Followed> followed = new LinkedHashMap<>();

  /** What was seen of those that are followed. Guarded by this. */
  private final Map<String, Seen> seen = new HashMap<>();

  /** Rung when there is something new to look at. */
  private final Semaphore bell = new Semaphore(0);

  /** When it is looked next. Guarded by this. */
  private Instant at = Instant.EPOCH;

  /** Whether the last look failed, so that the log says so once. Only the stepping thread. */
  private boolean failing;

  /**
   * A job that runs.
   *
   * @param holder null where it has no accelerators
   */
  private record Followed(Attempt attempt, String runName, GpuMetrics.@Nullable Holder holder) {}

  /**
   * What was seen of a job.
   *
   * @param time when, by our own clock
   */
  private record Seen(
      Instant time, JobUsage usage, @Nullable Double processors, List<Integer> gpus) {}

  /**
   * Follows nothing yet.
   *
   * @param ours which attempts are followed here while they run
   * @param usage who knows what jobs use
   * @param accelerators who knows how busy accelerators are
   */
  UsageWatch(
      String backend,
      Predicate<Attempt> ours,
      Function<List<String>, Map<String, JobUsage>> usage,
      Optional<GpuMetrics> accelerators,
      InstantSource clock) {
    this.backend = backend;
    this.ours = ours;
    this.usage = usage;
    this.accelerators = accelerators;
    this.clock = clock;
  }

  /** One of all jobs of a backend that runs them itself. */
  UsageWatch(
      String backend, JobRuntime runtime, Optional<GpuMetrics> accelerators, InstantSource clock) {
    this(
        backend, attempt -> backend.equals(attempt.backend()), runtime::usage, accelerators, clock);
  }

  /** Follows exactly those of some that run here. Called by the loop's thread. */
  synchronized void follow(Collection<Attempt> attempts, View view) {
    List<String> before = List.copyOf(followed.keySet());
    followed.clear();
    attempts.forEach(attempt -> put(attempt, view));
    seen.keySet().retainAll(followed.keySet());
    if (!before.containsAll(followed.keySet())) {
      bell.release();
    }
  }

  /** Follows one attempt as it is now, or no longer. Called by the loop's thread. */
  synchronized void follow(Attempt attempt, View view) {
    boolean known = followed.remove(attempt.id()) != null;
    put(attempt, view);
    if (!followed.containsKey(attempt.id())) {
      seen.remove(attempt.id());
    } else if (!known) {
      bell.release();
    }
  }

  private void put(Attempt attempt, View view) {
    if (attempt.status() == JobStatus.RUNNING && ours.test(attempt)) {
      String name = view.find(Run.class, attempt.runId()).map(Run::name).orElse(attempt.runId());
      followed.put(attempt.id(), new Followed(attempt, name, holder(attempt, view)));
    }
  }

  /** Nobody is asked about accelerators of jobs that have none. */
  private static GpuMetrics.@Nullable Holder holder(Attempt attempt, View view) {
    GpuMetrics.Holder holder = new GpuMetrics.Holder(attempt.id(), GpuWatch.devices(attempt, view));
    boolean asksForSome =
        view.find(Job.class, attempt.jobId())
            .filter(job -> job.spec().requirements().gpus() > 0)
            .isPresent();
    return asksForSome || !holder.devices().isEmpty() ? holder : null;
  }

  /** Waits until it is time to look, or until there is something new to look at. */
  void await() throws InterruptedException {
    Instant now = clock.instant();
    Duration left = next(now).map(due -> Duration.between(now, due)).orElse(LONGEST_WAIT);
    if (bell.tryAcquire(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS)) {
      bell.drainPermits();
    }
  }

  /** When the next look is due; empty while there is nothing to look at. */
  synchronized Optional<Instant> next(Instant now) {
    return followed.isEmpty() ? Optional.empty() : Optional.of(at.isBefore(now) ? now : at);
  }

  /** Looks at all that are followed, where it is time. */
  void step() {
    List<Followed> all;
    synchronized (this) {
      Instant now = clock.instant();
      if (now.isBefore(at) || followed.isEmpty()) {
        return;
      }
      at = now.plus(LOOK_EVERY);
      all = List.copyOf(followed.values());
    }
    for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
      look(all.subList(from, Math.min(all.size(), from + MOST_AT_ONCE)));
    }
    hurry();
  }

  /** A person who has just started a job does not wait longer than its backend takes to measure. */
  private synchronized void hurry() {
    Instant now = clock.instant();
    boolean unseen =
        followed.values().stream()
            .map(Followed::attempt)
            .anyMatch(
                attempt ->
                    !seen.containsKey(attempt.id())
                        && attempt.startedAt() != null
                        && attempt.startedAt().plus(NEW_FOR).isAfter(now));
    Instant soon = now.plus(LOOK_SOON);
    if (unseen && !failing && soon.isBefore(at)) {
      at = soon;
    }
  }

  private void look(List<Followed> jobs) {
    Map<String, JobUsage> told = ask(usage, jobs.stream().map(job -> job.attempt().id()).toList());
    List<GpuMetrics.Holder> holders = new ArrayList<>();
    jobs.forEach(job -> Optional.ofNullable(job.holder()).ifPresent(holders::add));
    Map<String, List<Integer>> gpus =
        holders.isEmpty() || told.isEmpty()
            ? Map.of()
            : accelerators
                .map(metrics -> ask(metrics::utilisation, List.copyOf(holders)))
                .orElse(Map.of());
    Instant now = clock.instant();
    synchronized (this) {
      told.forEach(
          (id, used) -> {
            if (followed.containsKey(id)) {
              seen.put(id, after(seen.get(id), used, gpus.getOrDefault(id, List.of()), now));
            }
          });
    }
  }

  private <Q, A> Map<String, A> ask(Function<List<Q>, Map<String, A>> question, List<Q> about) {
    try {
      Map<String, A> told = question.apply(about);
      failing = false;
      return told;
    } catch (BackendException.RateLimited e) {
      synchronized (this) {
        Instant later = clock.instant().plus(e.delay());
        at = later.isAfter(at) ? later : at;
      }
      return unknown(e);
    } catch (RuntimeException | LinkageError e) {
      return unknown(e);
    }
  }

  /** Whatever went wrong, nothing is known of these jobs, and the others are asked for. */
  private <A> Map<String, A> unknown(Throwable why) {
    LOG.log(
        failing ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
        "What the jobs of " + backend + " use is not known: " + why.getMessage(),
        why instanceof BackendException ? null : why);
    failing = true;
    return Map.of();
  }

  /** A backend may tell the same twice, and lose the time of processes that are gone. */
  private static Seen after(@Nullable Seen before, JobUsage now, List<Integer> gpus, Instant time) {
    if (before == null) {
      return new Seen(time, now, null, gpus);
    }
    Duration computed = before.usage().processorTime();
    Duration most = now.processorTime().compareTo(computed) > 0 ? now.processorTime() : computed;
    Duration between = Duration.between(before.usage().at(), now.at());
    Double processors = before.processors();
    if (between.isPositive()) {
      processors = most.minus(computed).toNanos() / (double) between.toNanos();
    }
    return new Seen(
        time,
        new JobUsage(now.at(), most, now.memoryBytes(), now.memoryLimitBytes()),
        processors,
        gpus);
  }

  /** What is known of now, in the order in which jobs began. Safe for any thread; never waits. */
  synchronized List<MeasuredJob> figures() {
    Instant oldest = clock.instant().minus(FRESH_FOR);
    List<MeasuredJob> figures = new ArrayList<>();
    for (Followed job : followed.values()) {
      Attempt attempt = job.attempt();
      Seen last = seen.get(attempt.id());
      if (last != null && !last.time().isBefore(oldest)) {
        figures.add(
            new MeasuredJob(
                attempt.id(),
                attempt.project(),
                attempt.runId(),
                job.runName(),
                Attempt.numberOf(attempt.jobId()),
                backend,
                last.usage(),
                last.processors(),
                last.gpus()));
      }
    }
    return figures;
  }
}
