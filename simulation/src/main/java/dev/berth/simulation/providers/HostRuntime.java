package dev.berth.simulation.providers;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.simulation.plan.Dice;
import dev.berth.simulation.plan.HostPlan;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobDescription;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs on the simulated host, as files would: a key that was used or given up starts nothing.
 * Calls fail by chance, before or after they took effect.
 */
final class HostRuntime implements JobRuntime {
  private final Dice dice;
  private final HostPlan plan;
  private final InstantSource clock;
  private final Map<String, HostJob> jobs = new TreeMap<>();
  private final Set<String> givenUp = new HashSet<>();
  private final BooleanSupplier reachable;

  HostRuntime(HostPlan plan, InstantSource clock) {
    this(plan, clock, () -> true);
  }

  /**
   * One of a machine that may not answer.
   *
   * @param reachable whether it answers now
   */
  HostRuntime(HostPlan plan, InstantSource clock, BooleanSupplier reachable) {
    this.reachable = reachable;
    this.plan = plan;
    this.clock = clock;
    this.dice = new Dice(plan.seed());
  }

  Map<String, HostJob> jobs() {
    return jobs;
  }

  private Instant now() {
    return clock.instant();
  }

  @Override
  public Instant start(JobRequest request) {
    fail();
    String key = request.attemptId();
    if (givenUp.contains(key)) {
      throw new BackendException.Permanent("the job " + key + " was given up before", null);
    }
    @Nullable Duration dies =
        dice.chance(plan.losses()) ? dice.between(Duration.ZERO, Duration.ofMinutes(2)) : null;
    HostJob job =
        jobs.computeIfAbsent(key, _ -> new HostJob(request.spec(), request.share(), now(), dies));
    fail();
    return job.startedAt();
  }

  /** A start that comes when nobody remembers that its key was given up. It does not end. */
  void startLate(String key) {
    jobs.computeIfAbsent(key, _ -> HostJob.endless(now()));
  }

  @Override
  public void stop(String attemptId, Duration grace) {
    fail();
    end(attemptId, job -> job.stop(now(), grace));
    fail();
  }

  @Override
  public void kill(String attemptId) {
    fail();
    end(attemptId, job -> job.kill(now()));
    fail();
  }

  @Override
  public void remove(String attemptId) {
    fail();
    givenUp.add(attemptId);
    jobs.remove(attemptId);
    fail();
  }

  private void end(String attemptId, Consumer<HostJob> how) {
    HostJob job = jobs.get(attemptId);
    if (job == null) {
      // What has not started never will.
      givenUp.add(attemptId);
    } else {
      how.accept(job);
    }
  }

  private void fail() {
    if (!reachable.getAsBoolean() || dice.chance(plan.failures())) {
      throw new BackendException.Transient("the host did not answer", null);
    }
  }

  @Override
  public List<JobObservation> observe(List<String> attemptIds) {
    fail();
    return attemptIds.stream().map(this::observe).toList();
  }

  private JobObservation observe(String attemptId) {
    HostJob job = jobs.get(attemptId);
    return job == null ? new JobObservation.Absent() : job.observation(now());
  }

  @Override
  public JobDescription describe(String attemptId) {
    HostJob job = jobs.get(attemptId);
    if (job == null) {
      throw new BackendException.Gone("there is no job " + attemptId, null);
    }
    JobObservation seen = job.observation(now());
    return new JobDescription(seen, seen.getClass().getSimpleName(), null, null);
  }

  @Override
  public List<String> list(Owner owner) {
    fail();
    return List.copyOf(jobs.keySet());
  }

  /** Never rings: what happens is found by looking. */
  @Override
  public AutoCloseable watch(Consumer<String> changed) {
    Objects.requireNonNull(changed);
    return () -> {};
  }

  @Override
  public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
    return new Output(new byte[0], offset, true);
  }
}
