package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From the place to the end of one attempt. */
final class AttemptLife {
  private static final int START_TRIES = 3;
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);
  private static final Duration ACTION_DEADLINE = Duration.ofMinutes(10);

  /** How long after a stop's grace the machine is asked once more, by force. */
  private static final Duration STOP_SLACK = Duration.ofSeconds(30);

  private AttemptLife() {}

  /** An action on the attempt's job was carried out, or not. */
  static void reported(Draft draft, Action action, ActionOutcome outcome, Instant now) {
    switch (outcome) {
      case ActionOutcome.Done done -> {
        draft.put(action.in(Action.State.DONE));
        done(draft, action, done.at(), now);
      }
      case ActionOutcome.Failed failed -> failed(draft, action, failed, now);
    }
  }

  private static void done(Draft draft, Action action, Instant at, Instant now) {
    Resource resource = draft.find(Resource.class, action.attemptId()).orElse(null);
    Attempt attempt = draft.find(Attempt.class, action.attemptId()).orElse(null);
    if (resource == null || attempt == null || !attempt.active()) {
      return;
    }
    switch (action.type()) {
      case START_JOB -> {
        draft.put(resource.in(Resource.State.PRESENT, null));
        if (attempt.status() == JobStatus.TERMINATING) {
          takeBack(draft, attempt, now);
        } else {
          started(draft, attempt, at, now);
        }
      }
      case STOP_JOB -> {
        Duration grace = action.grace() == null ? Duration.ZERO : action.grace();
        draft.put(
            resource.in(Resource.State.LEAVING, null).dueAt(now.plus(grace).plus(STOP_SLACK)));
        if (killsAtOnce(attempt)) {
          ask(draft, attempt, Action.Type.KILL_JOB, null, now);
        }
      }
      case KILL_JOB -> {
        draft.put(resource.in(Resource.State.LEAVING, null).dueAt(now.plus(STOP_SLACK)));
        if (attempt.reason() == JobReason.EXECUTOR_ERROR
            || attempt.reason() == JobReason.CREATING_CONTAINER_ERROR) {
          end(draft, attempt, attempt.reason(), attempt.message(), null, now);
        }
      }
      case REMOVE_JOB -> {}
    }
  }

  private static void failed(Draft draft, Action action, ActionOutcome.Failed failed, Instant now) {
    boolean mayGiveUp = action.type() == Action.Type.START_JOB;
    if (!mayGiveUp || (failed.transientFailure() && action.attempts() < START_TRIES)) {
      // What takes something back is tried for ever; only a start may be given up.
      long factor = 1L << Math.min(action.attempts(), 10);
      Duration wait = FIRST_RETRY.multipliedBy(factor);
      draft.put(
          action.again(
              now.plus(
                  wait.compareTo(Duration.ofMinutes(10)) > 0 ? Duration.ofMinutes(10) : wait)));
      return;
    }
    draft.put(action.in(Action.State.FAILED));
    Attempt attempt = draft.find(Attempt.class, action.attemptId()).orElse(null);
    if (attempt == null || !attempt.active()) {
      return;
    }
    Attempt ending =
        attempt.status() == JobStatus.TERMINATING
            ? attempt
            : attempt.ending(JobReason.CREATING_CONTAINER_ERROR).because(failed.message());
    draft.put(ending);
    draft
        .find(Job.class, attempt.jobId())
        .filter(Job::active)
        .ifPresent(job -> draft.put(job.in(JobStatus.TERMINATING, ending.reason())));
    // The start may have half worked, so whatever is there is taken back before the attempt ends.
    ask(draft, ending, Action.Type.KILL_JOB, null, now);
  }

  /** A backend says how the job is. */
  static void observed(Draft draft, String attemptId, JobObservation observation, Instant now) {
    Attempt attempt = draft.find(Attempt.class, attemptId).orElse(null);
    if (attempt == null || !attempt.active()) {
      return;
    }
    Resource resource = draft.find(Resource.class, attemptId).orElse(null);
    if (resource == null) {
      return;
    }
    switch (observation) {
      case JobObservation.Prepared _ -> {}
      case JobObservation.Running running -> {
        if (attempt.status() == JobStatus.PROVISIONING
            && resource.phase() == Resource.State.ASKED) {
          draft.put(resource.in(Resource.State.PRESENT, resource.actionId()));
          started(draft, attempt, running.startedAt(), now);
        }
      }
      case JobObservation.Exited exited -> exited(draft, attempt, exited, now);
      case JobObservation.Lost lost -> lose(draft, attempt, lost.detail(), now);
      case JobObservation.Absent _ -> {
        if (resource.phase() == Resource.State.PRESENT
            || resource.phase() == Resource.State.LEAVING) {
          JobReason reason =
              attempt.status() == JobStatus.TERMINATING && attempt.reason() != null
                  ? attempt.reason()
                  : JobReason.EXECUTOR_ERROR;
          end(draft, attempt, reason, "the machine does not know the job any more", null, now);
        }
      }
    }
  }

  private static void started(Draft draft, Attempt attempt, Instant at, Instant now) {
    if (attempt.status() != JobStatus.PROVISIONING) {
      return;
    }
    draft.put(attempt.running(at));
    draft
        .find(Job.class, attempt.jobId())
        .ifPresent(job -> draft.put(job.in(JobStatus.RUNNING, null)));
    draft
        .find(Placement.class, attempt.placementId())
        .filter(placement -> placement.phase() == Placement.State.CREATING)
        .ifPresent(placement -> draft.put(placement.in(Placement.State.READY)));
    draft.event("attempt.started", attempt, Event.SERVER, Map.of("number", attempt.number()));
    RunLife.follow(draft, attempt.runId(), now);
  }

  private static void exited(
      Draft draft, Attempt attempt, JobObservation.Exited exited, Instant now) {
    Instant from = exited.startedAt();
    Attempt known =
        attempt.startedAt() == null && from != null && attempt.status() == JobStatus.PROVISIONING
            ? attempt.running(from)
            : attempt;
    boolean asked = attempt.status() == JobStatus.TERMINATING && attempt.reason() != null;
    JobReason otherwise = asked ? attempt.reason() : JobReason.TERMINATED_BY_SERVER;
    JobReason reason =
        switch (exited.cause()) {
          case EXITED ->
              Integer.valueOf(0).equals(exited.code())
                  ? JobReason.DONE_BY_RUNNER
                  : JobReason.CONTAINER_EXITED_WITH_ERROR;
          case MAX_DURATION_EXCEEDED -> JobReason.MAX_DURATION_EXCEEDED;
          case STOPPED, KILLED -> otherwise == null ? JobReason.TERMINATED_BY_SERVER : otherwise;
          case OUT_OF_MEMORY -> JobReason.CONTAINER_EXITED_WITH_ERROR;
          case START_FAILED -> JobReason.CREATING_CONTAINER_ERROR;
        };
    String message = exited.detail().isEmpty() ? null : exited.detail();
    if (message == null && reason == JobReason.CONTAINER_EXITED_WITH_ERROR) {
      message = "the commands ended with exit code " + exited.code();
    }
    if (exited.cause() == JobObservation.Cause.OUT_OF_MEMORY && message == null) {
      message = "the job needed more memory than it may use";
    }
    end(
        draft,
        known,
        reason,
        message,
        exited.code(),
        exited.endedAt().isAfter(now) ? now : exited.endedAt());
  }

  private static void lose(Draft draft, Attempt attempt, String detail, Instant now) {
    if (attempt.status() == JobStatus.TERMINATING && attempt.reason() == JobReason.EXECUTOR_ERROR) {
      return;
    }
    Attempt ending = attempt.ending(JobReason.EXECUTOR_ERROR).because(detail);
    draft.put(ending);
    draft
        .find(Job.class, attempt.jobId())
        .filter(Job::active)
        .ifPresent(job -> draft.put(job.in(JobStatus.TERMINATING, JobReason.EXECUTOR_ERROR)));
    ask(draft, ending, Action.Type.KILL_JOB, null, now);
    RunLife.follow(draft, attempt.runId(), now);
  }

  /** Brings an attempt to its end for a reason of ours, by way of its machine where it has one. */
  static void stop(Draft draft, Attempt attempt, JobReason reason, Instant now) {
    if (attempt.status() == JobStatus.SUBMITTED) {
      end(draft, attempt, reason, null, null, now);
      return;
    }
    boolean already = attempt.status() == JobStatus.TERMINATING;
    if (already && (attempt.reason() == reason || reason != JobReason.ABORTED_BY_USER)) {
      return;
    }
    Attempt ending = attempt.ending(reason);
    draft.put(ending);
    draft
        .find(Job.class, attempt.jobId())
        .filter(Job::active)
        .ifPresent(job -> draft.put(job.in(JobStatus.TERMINATING, reason)));
    Resource resource = draft.find(Resource.class, attempt.id()).orElseThrow();
    if (resource.actionId() == null) {
      takeBack(draft, ending, now);
    }
    // Otherwise the report of the action that is under way continues: one action at a time per
    // resource.
  }

  /**
   * Whether there is nothing to wait for: the user will not, or nobody is left who could stop in
   * order.
   */
  private static boolean killsAtOnce(Attempt attempt) {
    return attempt.reason() == JobReason.ABORTED_BY_USER
        || attempt.reason() == JobReason.EXECUTOR_ERROR;
  }

  private static void takeBack(Draft draft, Attempt attempt, Instant now) {
    if (killsAtOnce(attempt)) {
      ask(draft, attempt, Action.Type.KILL_JOB, null, now);
      return;
    }
    Job job = draft.find(Job.class, attempt.jobId()).orElseThrow();
    Duration grace = job.spec().stopDuration();
    ask(draft, attempt, Action.Type.STOP_JOB, grace == null ? Duration.ofDays(3650) : grace, now);
  }

  private static void ask(
      Draft draft, Attempt attempt, Action.Type type, @Nullable Duration grace, Instant now) {
    Resource resource = draft.find(Resource.class, attempt.id()).orElseThrow();
    String id = attempt.id() + (type == Action.Type.STOP_JOB ? "-stop" : "-kill");
    if (resource.actionId() != null && draft.action(resource.actionId()).isPresent()) {
      // One action at a time per resource: the report of the one under way continues.
      return;
    }
    draft.put(resource.in(Resource.State.LEAVING, id));
    draft.put(
        new Action(
            id,
            type,
            attempt.id(),
            resource.backend(),
            null,
            grace,
            Action.State.IN_FLIGHT,
            1,
            null,
            now.plus(ACTION_DEADLINE)));
  }

  /** The resource did not go away in the time that it had. */
  static void overdue(Draft draft, Resource resource, Instant now) {
    Attempt attempt = draft.find(Attempt.class, resource.attemptId()).orElse(null);
    if (attempt != null && attempt.active() && resource.actionId() == null) {
      ask(draft, attempt, Action.Type.KILL_JOB, null, now);
    }
  }

  /** The end of an attempt: its share of the machine is free, its placement closed. */
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
        .find(Job.class, attempt.jobId())
        .filter(Job::active)
        .ifPresent(job -> draft.put(job.in(reason.end(), reason)));
    draft
        .find(Placement.class, attempt.placementId())
        .filter(Placement::active)
        .ifPresent(placement -> draft.put(placement.in(Placement.State.CLOSED)));
    draft
        .find(Resource.class, attempt.id())
        .filter(Resource::active)
        .ifPresent(resource -> draft.put(resource.in(Resource.State.GONE, null)));
    if (attempt.instanceId() != null) {
      draft
          .find(Instance.class, attempt.instanceId())
          .ifPresent(instance -> draft.put(instance.release(attempt.id())));
    }
    draft.event("attempt.ended", ended, Event.SERVER, ending(ended));
    RunLife.follow(draft, attempt.runId(), at);
  }

  private static Map<String, Object> ending(Attempt ended) {
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
}
