package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.FolderView;
import dev.berth.hosts.access.ProcessIdentity;
import dev.berth.hosts.jobdir.Observation.Absent;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.Observation.Lost;
import dev.berth.hosts.jobdir.Observation.Prepared;
import dev.berth.hosts.jobdir.Observation.Running;
import dev.berth.hosts.jobdir.Observation.State;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Tells an attempt's state from its files, without changing any. */
public final class JobObserver {
  /** Several times the longest pause between two heartbeats, for a machine that is busy. */
  public static final Duration HEARTBEAT_STALE = Duration.ofSeconds(15);

  private final InstantSource clock;
  private final String bootId;

  public JobObserver(InstantSource clock, String bootId) {
    this.clock = clock;
    this.bootId = bootId;
  }

  /**
   * Tells the state of one job.
   *
   * @param life how runners are looked at
   */
  public State observe(JobDirectory directory, RunnerLiveness life) {
    return state(directory.view(), life);
  }

  /**
   * Tells how many jobs are, in their order, after one look at all of them.
   *
   * @param life how the runner of an attempt is looked at
   * @param unreadable what is told of a job whose directory cannot be looked at; may throw
   */
  public List<Observation> observe(
      JobStore store,
      Collection<String> attemptIds,
      Function<String, RunnerLiveness> life,
      Function<HostException, State> unreadable) {
    List<JobDirectory> directories = attemptIds.stream().map(store::directory).toList();
    List<FolderView> seen = store.look(directories);
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < seen.size(); i++) {
      String attemptId = directories.get(i).attemptId();
      try {
        JobView view = new JobView(directories.get(i), seen.get(i));
        observations.add(
            new Observation(attemptId, state(view, life.apply(attemptId)), view.warnings()));
      } catch (HostException failure) {
        observations.add(new Observation(attemptId, unreadable.apply(failure), List.of()));
      }
    }
    return List.copyOf(observations);
  }

  private State state(JobView view, RunnerLiveness life) {
    Optional<ExitRecord> exit = view.exit();
    if (exit.isPresent()) {
      return exited(view, exit.get());
    }
    Optional<String> claim = view.text(JobDirectory.RUNNER).map(String::strip);
    if (claim.isEmpty()) {
      return unclaimed(view);
    }
    String[] lines = claim.get().split("\n", 2);
    Optional<ExitRecord> refused = ExitRecord.parseRefusal(lines[0]);
    if (refused.isPresent()) {
      return exited(view, refused.get(), lines.length > 1 ? lines[1] : "");
    }
    if (RunnerLiveness.identity(claim.get()).isPresent() && !claim.get().endsWith(" " + bootId)) {
      return new Lost("the machine was restarted while the job ran", view.sizes());
    }
    if (life.isAlive(claim.get(), view::claimIsAlive)) {
      return started(view);
    }
    // The runner may have written the exit, and ended, after the files were looked at.
    JobView again = view.directory().view();
    exit = again.exit();
    if (exit.isPresent()) {
      return exited(again, exit.get());
    }
    if (life.hasEnded(claim.get()) || isStale(again)) {
      return again.exists()
          ? new Lost("the runner ended without saying how", again.sizes())
          : new Absent();
    }
    return started(again);
  }

  private State unclaimed(JobView view) {
    if (!view.exists()) {
      return new Absent();
    }
    return view.text(JobDirectory.PREPARED).filter(bootId::equals).isPresent()
        ? new Prepared()
        : new Lost(
            "the machine was restarted, and whether the job had been started is unknown",
            view.sizes());
  }

  private static State started(JobView view) {
    Optional<ProcessIdentity> process = view.text("process").flatMap(ProcessIdentity::parse);
    Optional<Instant> startedAt = view.modified("process");
    if (process.isEmpty() || startedAt.isEmpty()) {
      return view.exists() ? new Prepared() : new Absent();
    }
    return new Running(process.get().pid(), startedAt.get(), view.sizes());
  }

  private static State exited(JobView view, ExitRecord exit) {
    return exited(view, exit, view.text("failure").orElse("").strip());
  }

  private static State exited(JobView view, ExitRecord exit, String detail) {
    Optional<Instant> startedAt = view.modified("process");
    // Where date knows only seconds, the time of the file is the finer one.
    Instant second = exit.endedAt();
    Instant endedAt =
        view.modified("exit")
            .filter(
                at ->
                    second.equals(second.truncatedTo(ChronoUnit.SECONDS))
                        && second.equals(at.truncatedTo(ChronoUnit.SECONDS)))
            .orElse(second);
    return new Exited(exit.code(), exit.reason(), detail, startedAt, endedAt, view.sizes());
  }

  private boolean isStale(JobView view) {
    Instant last =
        view.modified("heartbeat")
            .or(() -> view.modified(JobDirectory.RUNNER))
            .orElse(Instant.EPOCH);
    return last.plus(HEARTBEAT_STALE).isBefore(clock.instant());
  }
}
