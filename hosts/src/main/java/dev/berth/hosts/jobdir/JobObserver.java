package dev.berth.hosts.jobdir;

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
import java.util.Optional;

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
   * Reads one job directory.
   *
   * @param life how runners are looked at
   */
  public State observe(JobDirectory directory, RunnerLife life) {
    Optional<ExitRecord> exit = directory.exit();
    if (exit.isPresent()) {
      return exited(directory, exit.get());
    }
    Optional<String> claim = directory.text("runner").map(String::strip);
    if (claim.isEmpty()) {
      return unclaimed(directory);
    }
    String[] lines = claim.get().split("\n", 2);
    Optional<ExitRecord> refused = ExitRecord.parseRefusal(lines[0]);
    if (refused.isPresent()) {
      return exited(directory, refused.get(), lines.length > 1 ? lines[1] : "");
    }
    if (RunnerLife.identity(claim.get()).isPresent() && !claim.get().endsWith(" " + bootId)) {
      return new Lost("the machine was restarted while the job ran", directory.sizes());
    }
    if (life.isAlive(claim.get())) {
      return started(directory);
    }
    // The runner may have written the exit, and ended, between our two looks.
    exit = directory.exit();
    if (exit.isPresent()) {
      return exited(directory, exit.get());
    }
    if (life.hasEnded(claim.get()) || isStale(directory)) {
      return directory.exists()
          ? new Lost("the runner ended without saying how", directory.sizes())
          : new Absent();
    }
    return started(directory);
  }

  private State unclaimed(JobDirectory directory) {
    if (!directory.exists()) {
      return new Absent();
    }
    return directory.text("prepared").filter(bootId::equals).isPresent()
        ? new Prepared()
        : new Lost(
            "the machine was restarted, and whether the job had been started is unknown",
            directory.sizes());
  }

  private static State started(JobDirectory directory) {
    Optional<ProcessIdentity> process = directory.text("process").flatMap(ProcessIdentity::parse);
    Optional<Instant> startedAt = directory.modified("process");
    if (process.isEmpty() || startedAt.isEmpty()) {
      return directory.exists() ? new Prepared() : new Absent();
    }
    return new Running(process.get().pid(), startedAt.get(), directory.sizes());
  }

  private static State exited(JobDirectory directory, ExitRecord exit) {
    return exited(directory, exit, directory.text("failure").orElse("").strip());
  }

  private static State exited(JobDirectory directory, ExitRecord exit, String detail) {
    Optional<Instant> startedAt = directory.modified("process");
    // Where date knows only seconds, the time of the file is the finer one.
    Instant second = exit.endedAt();
    Instant endedAt =
        directory
            .modified("exit")
            .filter(
                at ->
                    second.equals(second.truncatedTo(ChronoUnit.SECONDS))
                        && second.equals(at.truncatedTo(ChronoUnit.SECONDS)))
            .orElse(second);
    return new Exited(exit.code(), exit.reason(), detail, startedAt, endedAt, directory.sizes());
  }

  private boolean isStale(JobDirectory directory) {
    Instant last =
        directory
            .modified("heartbeat")
            .or(() -> directory.modified("runner"))
            .orElse(Instant.EPOCH);
    return last.plus(HEARTBEAT_STALE).isBefore(clock.instant());
  }
}
