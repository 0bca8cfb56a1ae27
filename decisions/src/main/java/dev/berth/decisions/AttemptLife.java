package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.config.UtilizationPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From the place of an attempt to its end: what its backend says of it, and how it is stopped. */
final class AttemptLife {
  private static final Duration ACTION_DEADLINE = Duration.ofMinutes(10);

  /** So often a job is killed before it counts as ended although nobody could see that. */
  private static final int KILLS = 3;

  /** A call that was made before has come to its end after so long, whoever made it. */
  static final Duration LATE_FOR = Duration.ofMinutes(1);

  /** How long after {@code max_duration} the server waits for the runner to end the job. */
  private static final Duration LIMIT_GRACE = Duration.ofMinutes(2);

  /** Where nothing limits how long a job may take to stop. */
  private static final Duration UNLIMITED = Duration.ofDays(3650);

  private AttemptLife() {}

  /** A backend says how the job is. */
  static void observed(Draft draft, String attemptId, JobObservation observation, Instant now) {
    Attempt known = draft.find(Attempt.class, attemptId).orElse(null);
    Resource resource = draft.find(Resource.class, attemptId).orElse(null);
    if (known == null || !known.active() || resource == null || !resource.active()) {
      return;
    }
    Attempt attempt = Warnings.seen(draft, Unreachable.seen(draft, known), observation);
    switch (observation) {
      case JobObservation.Prepared _ -> {}
      case JobObservation.Running running -> {
        if (resource.phase() == Resource.State.ASKED
            && attempt.status() == JobStatus.PROVISIONING) {
          draft.put(resource.in(Resource.State.PRESENT, resource.actionId()));
          started(draft, attempt, running.startedAt(), now);
        }
        Instant taken = running.interruptedAt();
        if (taken != null) {
          draft
              .find(Attempt.class, attemptId)
              .ifPresent(current -> Interruptions.noticed(draft, current, taken, now));
        }
      }
      case JobObservation.Exited exited -> exited(draft, attempt, exited, now);
      case JobObservation.Lost lost -> lose(draft, attempt, lost.detail(), now);
      case JobObservation.Absent _ -> {
        if (mayComeToLight(resource, now)) {
          return;
        }
        if (resource.phase() == Resource.State.PRESENT
            || resource.phase() == Resource.State.LEAVING) {
          boolean ending = attempt.status() == JobStatus.TERMINATING;
          // Why it was ended says more than that it is gone.
          String message =
              ending && attempt.message() != null
                  ? attempt.message()
                  : "the machine no longer knows the job";
          JobReason reason =
              ending && attempt.reason() != null ? attempt.reason() : JobReason.EXECUTOR_ERROR;
          end(draft, attempt, reason, message, null, now);
        }
      }
    }
  }

  /** The job is on its way. */
  static void started(Draft draft, Attempt attempt, Instant at, Instant now) {
    limit(draft, attempt, attempt.startedAt() == null ? at : attempt.startedAt());
    if (attempt.status() != JobStatus.PROVISIONING) {
      return;
    }
    draft.put(attempt.running(at));
    draft
        .find(Job.class, attempt.jobId())
        .ifPresent(job -> draft.put(job.in(JobStatus.RUNNING, null)));
    draft
        .find(Placement.class, attempt.placementId())
        .ifPresent(placement -> Starts.started(draft, placement, now));
    draft.event("attempt.started", attempt, Event.SERVER, Map.of("number", attempt.number()));
    RunLife.follow(draft, attempt.runId(), now);
  }

  /**
   * Notes when the job has run for longer than it may. The runner ends it in time; this is for
   * runners that cannot.
   */
  private static void limit(Draft draft, Attempt attempt, Instant startedAt) {
    draft
        .find(Job.class, attempt.jobId())
        .map(job -> job.spec().maxDuration())
        .ifPresent(
            most ->
                draft
                    .find(Resource.class, attempt.id())
                    .filter(resource -> resource.phase() == Resource.State.PRESENT)
                    .ifPresent(
                        resource ->
                            draft.put(resource.dueAt(startedAt.plus(most).plus(LIMIT_GRACE)))));
  }

  /** The job has run for longer than it may, and its runner has not ended it: it is stopped. */
  private static void overLimit(Draft draft, Resource resource, Attempt attempt, Instant now) {
    if (resource.actionId() != null) {
      draft.put(resource.dueAt(now.plus(LIMIT_GRACE)));
      return;
    }
    stop(draft, attempt, JobReason.MAX_DURATION_EXCEEDED, now);
    RunLife.follow(draft, attempt.runId(), now);
  }

  private static void exited(
      Draft draft, Attempt attempt, JobObservation.Exited exited, Instant now) {
    Instant from = exited.startedAt();
    if (attempt.status() == JobStatus.PROVISIONING && from != null) {
      // It was faster than the answer to its start; others may wait for it to have started.
      started(draft, attempt, from, now);
    }
    Attempt current = draft.find(Attempt.class, attempt.id()).orElse(attempt);
    Attempt known = from != null && startedLater(current, from) ? current.running(from) : current;
    JobReason asked = attempt.status() == JobStatus.TERMINATING ? attempt.reason() : null;
    JobReason reason = reason(exited, asked);
    String message = exited.detail().isEmpty() ? null : exited.detail();
    if (message == null && exited.cause() == JobObservation.Cause.OUT_OF_MEMORY) {
      message = "the job exceeded its memory limit";
    }
    if (message == null && reason == JobReason.CONTAINER_EXITED_WITH_ERROR) {
      message = "the commands ended with exit code " + exited.code();
    }
    if (message == null && asked != null && reason == asked) {
      message = attempt.message();
    }
    Instant at = exited.endedAt().isAfter(now) ? now : exited.endedAt();
    end(draft, known, reason, message, exited.code(), at);
  }

  /**
   * Whether an attempt has started later than a time, as far as it is known: a server that was
   * killed may have started it, and only the repeated start was reported.
   */
  private static boolean startedLater(Attempt attempt, Instant than) {
    Instant known = attempt.startedAt();
    return known == null || than.isBefore(known);
  }

  private static JobReason reason(JobObservation.Exited exited, @Nullable JobReason asked) {
    if (asked == JobReason.DONE_BY_RUNNER) {
      // Its run is done, and how it takes that does not matter.
      return asked;
    }
    return switch (exited.cause()) {
      case EXITED ->
          Integer.valueOf(0).equals(exited.code())
              ? JobReason.DONE_BY_RUNNER
              : JobReason.CONTAINER_EXITED_WITH_ERROR;
      case MAX_DURATION_EXCEEDED -> JobReason.MAX_DURATION_EXCEEDED;
      case STOPPED, KILLED -> asked == null ? JobReason.TERMINATED_BY_SERVER : asked;
      case OUT_OF_MEMORY -> JobReason.CONTAINER_EXITED_WITH_ERROR;
      case INTERRUPTED -> JobReason.INTERRUPTED_BY_NO_CAPACITY;
      case START_FAILED -> JobReason.CREATING_CONTAINER_ERROR;
    };
  }

  private static void lose(Draft draft, Attempt attempt, String detail, Instant now) {
    if (attempt.status() == JobStatus.TERMINATING && attempt.reason() == JobReason.EXECUTOR_ERROR) {
      return;
    }
    abandon(draft, attempt.because(detail), JobReason.EXECUTOR_ERROR, now);
  }

  /** Kills what nobody can see any more; that it is killed is its end. */
  static void abandon(Draft draft, Attempt attempt, JobReason reason, Instant now) {
    ending(draft, attempt, reason);
    ask(draft, attempt, new Operation.KillJob(), now);
    RunLife.follow(draft, attempt.runId(), now);
  }

  /** On its way to its end, and its job with it. */
  static Attempt ending(Draft draft, Attempt attempt, JobReason reason) {
    Attempt ending = attempt.ending(reason);
    draft.put(ending);
    draft
        .find(Job.class, attempt.jobId())
        .filter(Job::active)
        .ifPresent(job -> draft.put(job.in(JobStatus.TERMINATING, reason)));
    return ending;
  }

  /** Its accelerators idled for as long as its policy allows: it is stopped in order. */
  static void underused(Draft draft, String attemptId, Instant now) {
    Attempt attempt = draft.find(Attempt.class, attemptId).orElse(null);
    if (attempt == null || attempt.status() != JobStatus.RUNNING) {
      return;
    }
    UtilizationPolicy policy =
        draft.find(Job.class, attempt.jobId()).map(job -> job.spec().utilization()).orElse(null);
    if (policy == null) {
      return;
    }
    String message =
        "the utilization of one of its accelerators was below %d percent for %s"
            .formatted(policy.minGpuUtilization(), time(policy.timeWindow()));
    stop(draft, attempt.because(message), JobReason.TERMINATED_DUE_TO_UTILIZATION_POLICY, now);
    RunLife.follow(draft, attempt.runId(), now);
  }

  private static String time(Duration time) {
    return time.toSeconds() % 60 == 0
        ? time.toMinutes() + " minutes"
        : time.toSeconds() + " seconds";
  }

  /** Brings an attempt to its end for a reason of ours, by way of its machine where it has one. */
  static void stop(Draft draft, Attempt attempt, JobReason reason, Instant now) {
    stop(draft, attempt, reason, UNLIMITED, now);
  }

  /** The same for one that has only so much time to stop. */
  static void stop(Draft draft, Attempt attempt, JobReason reason, Duration most, Instant now) {
    if (draft.find(Resource.class, attempt.id()).filter(Resource::active).isEmpty()) {
      // Nothing was started, so there is nothing to wait for; a machine may be kept or given back.
      end(draft, attempt, reason, null, null, now);
      return;
    }
    boolean already = attempt.status() == JobStatus.TERMINATING;
    if (already
        && (endsWithItsKill(attempt)
            || attempt.reason() == reason
            || reason != JobReason.ABORTED_BY_USER)) {
      return;
    }
    takeBack(draft, ending(draft, attempt, reason), most, now);
  }

  /**
   * Whether nobody is there who could say how it ends, so that the report of its kill is the end.
   */
  static boolean endsWithItsKill(Attempt attempt) {
    return attempt.reason() == JobReason.EXECUTOR_ERROR
        || attempt.reason() == JobReason.INSTANCE_UNREACHABLE
        || attempt.reason() == JobReason.CREATING_CONTAINER_ERROR;
  }

  /**
   * Whether there is nothing to wait for: the user will not, or nobody is left who could stop in
   * order.
   */
  static boolean killsAtOnce(Attempt attempt) {
    return attempt.reason() == JobReason.ABORTED_BY_USER
        || attempt.reason() == JobReason.EXECUTOR_ERROR;
  }

  /** Stops or kills what was started for an attempt that is to end. */
  static void takeBack(Draft draft, Attempt attempt, Instant now) {
    takeBack(draft, attempt, UNLIMITED, now);
  }

  private static void takeBack(Draft draft, Attempt attempt, Duration most, Instant now) {
    if (killsAtOnce(attempt)) {
      ask(draft, attempt, new Operation.KillJob(), now);
      return;
    }
    Job job = draft.find(Job.class, attempt.jobId()).orElseThrow();
    Duration wanted = Objects.requireNonNullElse(job.spec().stopDuration(), UNLIMITED);
    Duration grace = wanted.compareTo(most) < 0 ? wanted : most;
    ask(draft, attempt, new Operation.StopJob(grace), now);
  }

  /** Asks the backend to end the job, as soon as nothing else is under way for it. */
  static void ask(Draft draft, Attempt attempt, Operation.OnJob end, Instant now) {
    Resource resource = draft.find(Resource.class, attempt.id()).orElseThrow();
    Action before = ResourceLife.underWay(draft, resource);
    if (before != null
        && (before.state() == Action.State.IN_FLIGHT || before.type() == end.type())) {
      // One action at a time per resource: the report of the one under way continues.
      return;
    }
    if (resource.phase() == Resource.State.IN_DOUBT) {
      // What may come to light is looked for first: to end it now could be too early.
      return;
    }
    if (before != null) {
      draft.put(before.in(Action.State.REVOKED));
    }
    String id = resource.actionId(end instanceof Operation.StopJob ? "stop" : "kill");
    Resource leaving = resource.in(Resource.State.LEAVING, id);
    boolean unclear =
        before != null
            && before.type() == Action.Type.START_JOB
            && before.attempts() > 1
            && resource.phase() == Resource.State.ASKED
            && !wasSeen(draft, attempt);
    draft.put(unclear ? leaving.unclearSince(now) : leaving);
    draft.put(Action.now(id, end, resource, now.plus(ACTION_DEADLINE)));
  }

  /** Until when a start that was given up may come to light; empty where it is known. */
  static Optional<Instant> clearAt(Resource resource) {
    return resource.phase() == Resource.State.LEAVING
        ? Optional.ofNullable(resource.since()).map(since -> since.plus(LATE_FOR))
        : Optional.empty();
  }

  /** Whoever is lost was there. */
  private static boolean wasSeen(Draft draft, Attempt attempt) {
    return draft
        .find(Attempt.class, attempt.id())
        .filter(current -> current.reason() == JobReason.EXECUTOR_ERROR)
        .isPresent();
  }

  private static boolean mayComeToLight(Resource resource, Instant now) {
    return clearAt(resource).filter(now::isBefore).isPresent();
  }

  /** The job did not go away in the time that it had. */
  static void overdue(Draft draft, Resource resource, Instant now) {
    Attempt attempt = draft.find(Attempt.class, resource.ownerId()).orElse(null);
    if (attempt != null
        && attempt.status() == JobStatus.RUNNING
        && resource.phase() == Resource.State.PRESENT) {
      overLimit(draft, resource, attempt, now);
      return;
    }
    if (attempt == null || !attempt.active() || resource.actionId() != null) {
      return;
    }
    JobReason reason = attempt.reason();
    if (resource.repeats() >= KILLS && reason != null) {
      // It was killed, and nobody is there who could say how it ended.
      end(draft, attempt, reason, attempt.message(), null, now);
    } else {
      draft.put(resource.repeated());
      ask(draft, attempt, new Operation.KillJob(), now);
    }
  }

  /** The end of an attempt: its share of the machine is free. */
  static void end(
      Draft draft,
      Attempt attempt,
      JobReason reason,
      @Nullable String message,
      @Nullable Integer code,
      Instant at) {
    Attempt ended = attempt.ended(reason, message, code, at);
    draft.put(ended);
    draft
        .find(Resource.class, attempt.id())
        .filter(Resource::active)
        .ifPresent(
            resource -> {
              if (attempt.instanceId() == null) {
                // Its place was rented for it alone, and costs until it is given back.
                ResourceLife.release(draft, resource, at);
              } else {
                ResourceLife.gone(draft, resource);
              }
            });
    if (attempt.instanceId() != null) {
      draft
          .find(Instance.class, attempt.instanceId())
          .filter(Instance::active)
          .ifPresent(instance -> InstanceLife.release(draft, instance, attempt, at));
    }
    draft.event("attempt.ended", ended, Event.SERVER, told(ended));
    ReplicaLife.ended(draft, ended, at);
  }

  private static Map<String, Object> told(Attempt ended) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("status", ended.status().word());
    data.put("reason", ended.reason() == null ? "" : ended.reason().word());
    if (ended.message() != null) {
      data.put("message", ended.message());
    }
    if (ended.exitCode() != null) {
      data.put("exit_code", ended.exitCode());
    }
    return data;
  }

  /** The job's own exit code, where it ended by itself. */
  static @Nullable Integer ownExitCode(Attempt attempt) {
    return attempt.reason() == JobReason.DONE_BY_RUNNER
            || attempt.reason() == JobReason.CONTAINER_EXITED_WITH_ERROR
        ? attempt.exitCode()
        : null;
  }
}
