package dev.berth.simulation.providers;

import dev.berth.model.JobObservation;
import dev.berth.model.JobObservation.Cause;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceVector;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job on the simulated host. How it is at a time follows from its times. */
final class HostJob {
  private static final int KILLED = 137;
  private static final int TERMINATED = 143;

  private final ResourceVector share;
  private final Instant startedAt;
  private final @Nullable Instant endsAt;
  private final int code;
  private final boolean deaf;
  private final @Nullable Instant runnerDiesAt;
  private final @Nullable Instant limit;
  private @Nullable Instant stoppedAt;
  private @Nullable Instant stopKillsAt;
  private @Nullable Instant killedAt;

  /**
   * A job that starts now.
   *
   * @param runnerDies after so long whoever looks after it is gone, and its processes go on; null
   *     for never
   */
  HostJob(JobSpec spec, ResourceVector share, Instant now, @Nullable Duration runnerDies) {
    this.share = share;
    this.startedAt = now;
    Duration length = Duration.ZERO;
    boolean endless = false;
    int exit = 0;
    boolean ignores = false;
    for (String command : spec.commands()) {
      if (command.startsWith("trap")) {
        ignores = true;
      } else if (command.equals("sleep infinity")) {
        endless = true;
      } else if (command.startsWith("sleep ")) {
        length = length.plusSeconds(Long.parseLong(command.substring("sleep ".length())));
      } else if (command.startsWith("exit ")) {
        exit = Integer.parseInt(command.substring("exit ".length()));
      }
    }
    this.endsAt = endless ? null : now.plus(length);
    this.code = exit;
    this.deaf = ignores;
    this.runnerDiesAt = runnerDies == null ? null : now.plus(runnerDies);
    Duration most = spec.maxDuration();
    Duration grace = spec.stopDuration() == null ? Duration.ZERO : spec.stopDuration();
    this.limit = most == null ? null : now.plus(ignores ? most.plus(grace) : most);
  }

  /** One that does not end by itself, and takes nothing from others. */
  static HostJob endless(Instant now) {
    JobSpec spec =
        new JobSpec(
            null,
            List.of("sleep infinity"),
            null,
            Map.of(),
            List.of(),
            null,
            null,
            JobSpec.Requirements.NONE);
    return new HostJob(spec, ResourceVector.NOTHING, now, null);
  }

  ResourceVector share() {
    return share;
  }

  Instant startedAt() {
    return startedAt;
  }

  void stop(Instant now, Duration grace) {
    stoppedAt = stoppedAt == null ? now : stoppedAt;
    Instant kill = now.plus(grace);
    stopKillsAt = stopKillsAt == null || kill.isBefore(stopKillsAt) ? kill : stopKillsAt;
  }

  void kill(Instant now) {
    killedAt = killedAt == null ? now : killedAt;
  }

  private record End(Instant at, int code, Cause cause) {}

  /** Whether its processes run. */
  boolean runs(Instant now) {
    return end(now) == null;
  }

  /** The end, where it has come. */
  private @Nullable End end(Instant now) {
    List<End> ends = new ArrayList<>();
    if (endsAt != null) {
      ends.add(new End(endsAt, code, Cause.EXITED));
    }
    if (killedAt != null) {
      ends.add(new End(killedAt, KILLED, Cause.KILLED));
    }
    // Without its runner nobody keeps time or passes signals on.
    if (limit != null && isLookedAfter(limit)) {
      ends.add(new End(limit, deaf ? KILLED : TERMINATED, Cause.MAX_DURATION_EXCEEDED));
    }
    if (stoppedAt != null && stopKillsAt != null && isLookedAfter(stoppedAt)) {
      ends.add(
          deaf
              ? new End(stopKillsAt, KILLED, Cause.KILLED)
              : new End(stoppedAt, TERMINATED, Cause.STOPPED));
    }
    return ends.stream()
        .filter(end -> !now.isBefore(end.at()))
        .min(Comparator.comparing(End::at))
        .orElse(null);
  }

  private boolean isLookedAfter(Instant time) {
    return runnerDiesAt == null || time.isBefore(runnerDiesAt);
  }

  JobObservation observation(Instant now) {
    End end = end(now);
    Instant known = end == null ? now : end.at();
    if (!isLookedAfter(known)) {
      return new JobObservation.Lost("the runner is gone");
    }
    return end == null
        ? new JobObservation.Running(startedAt)
        : new JobObservation.Exited(end.code(), end.cause(), "", startedAt, end.at());
  }
}
