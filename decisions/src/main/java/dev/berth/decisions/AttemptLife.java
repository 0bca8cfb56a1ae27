package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobRequest;
import dev.berth.model.JobStatus;
import dev.berth.model.Place;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From the place to the end of one attempt. */
final class AttemptLife {
  private static final int START_TRIES = 3;
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);

  /** How often it is looked whether a missing backend came back by itself. */
  private static final Duration PARKED = Duration.ofMinutes(1);

  /** So many offers are tried before a run is given up. */
  private static final int MOST_OFFERS = 25;

  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  private static final List<String> ACTIONS = List.of("-start", "-stop", "-kill");

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
      case ActionOutcome.Parked parked -> park(draft, action, parked.message(), now);
    }
    // A removal waits for the report of whatever was under way when its run was deleted.
    draft
        .action(removal(action.attemptId()))
        .filter(removal -> removal.state() == Action.State.PENDING && removal.due() == null)
        .filter(removal -> !isUnderWay(draft, removal.attemptId()))
        .ifPresent(removal -> draft.put(removal.in(Action.State.IN_FLIGHT)));
  }

  /** Waits for the backend without counting a try; the user sees what is waited for. */
  private static void park(Draft draft, Action action, String message, Instant now) {
    draft.put(action.parked(now.plus(PARKED)));
    draft
        .find(Attempt.class, action.attemptId())
        .filter(Attempt::active)
        .filter(attempt -> !message.equals(attempt.message()))
        .ifPresent(
            attempt -> {
              draft.put(attempt.because(message));
              draft.event("attempt.parked", attempt, Event.SERVER, Map.of("message", message));
            });
  }

  /** Hands over at once what waited for a backend. */
  static void unpark(Draft draft, String backend, Instant now) {
    for (Attempt attempt : List.copyOf(draft.active(Attempt.class))) {
      if (backend.equals(attempt.backend())) {
        ACTIONS.stream()
            .map(suffix -> draft.action(attempt.id() + suffix))
            .flatMap(Optional::stream)
            .filter(action -> action.state() == Action.State.PENDING && action.due() != null)
            .forEach(action -> draft.put(action.parked(now)));
      }
    }
  }

  /** The id of the action that removes what an attempt left. */
  static String removal(String attemptId) {
    return attemptId + "-remove";
  }

  /** Whether anything but a removal is unfinished for an attempt. */
  static boolean isUnderWay(Draft draft, String attemptId) {
    return ACTIONS.stream().anyMatch(action -> draft.action(attemptId + action).isPresent());
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
        JobReason reason = attempt.reason();
        if (reason != null && endsWithItsKill(attempt)) {
          end(draft, attempt, reason, attempt.message(), null, now);
        }
      }
      case REMOVE_JOB -> {}
    }
  }

  private static void failed(Draft draft, Action action, ActionOutcome.Failed failed, Instant now) {
    Attempt attempt =
        draft.find(Attempt.class, action.attemptId()).filter(Attempt::active).orElse(null);
    boolean start = action.type() == Action.Type.START_JOB;
    if (start && attempt != null && isPresent(draft, attempt)) {
      // It was seen running: only the answer to the start was lost.
      draft.put(action.in(Action.State.DONE));
      done(draft, action, now, now);
      return;
    }
    if (start && attempt != null && failed.noCapacity() && wasToBeBought(attempt)) {
      draft.put(action.in(Action.State.FAILED));
      if (attempt.number() < MOST_OFFERS) {
        nextOffer(draft, attempt, action, failed.message(), now);
      } else {
        JobReason none = JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY;
        end(draft, attempt, none, failed.message(), null, now);
      }
      return;
    }
    if (start && attempt != null && isToldToWait(failed, action, attempt, now)) {
      // Nothing was tried, so nothing is counted.
      draft.put(action.parked(now.plus(Objects.requireNonNull(failed.delay()))));
      return;
    }
    // What takes something back is tried for ever; only a start may be given up.
    boolean again =
        attempt == null
            ? action.type() == Action.Type.REMOVE_JOB
            : !start
                || (failed.transientFailure()
                    && action.attempts() < START_TRIES
                    && now.isBefore(action.deadline())
                    && attempt.status() != JobStatus.TERMINATING);
    if (again) {
      long factor = 1L << Math.min(action.attempts(), 10);
      Duration usual = FIRST_RETRY.multipliedBy(factor);
      Duration asked = failed.delay();
      Duration wait = asked == null || asked.compareTo(usual) < 0 ? usual : asked;
      draft.put(action.again(now.plus(wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait)));
      return;
    }
    draft.put(action.in(Action.State.FAILED));
    if (attempt == null) {
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

  /** Whether another offer would do as well, and nobody stops it. */
  private static boolean wasToBeBought(Attempt attempt) {
    return attempt.instanceId() == null && attempt.status() != JobStatus.TERMINATING;
  }

  /** Whether the provider asked for patience, and there is time for it. */
  private static boolean isToldToWait(
      ActionOutcome.Failed failed, Action action, Attempt attempt, Instant now) {
    return failed.transientFailure()
        && failed.delay() != null
        && attempt.status() != JobStatus.TERMINATING
        && now.plus(failed.delay()).isBefore(action.deadline());
  }

  /**
   * The offer is sold out: another attempt, which has a key of its own, looks for the next one. The
   * provider made nothing, so there is nothing to take back.
   */
  private static void nextOffer(
      Draft draft, Attempt attempt, Action action, String message, Instant now) {
    Placement placement = draft.find(Placement.class, attempt.placementId()).orElseThrow();
    Resource resource = draft.find(Resource.class, attempt.id()).orElseThrow();
    draft.put(resource.in(Resource.State.GONE, null));
    Attempt ended = attempt.ended(JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY, message, null, now);
    draft.put(ended);
    draft.event("attempt.ended", ended, Event.SERVER, ending(ended));
    Attempt next = attempt.another(now).because(message);
    draft.put(next);
    draft.put(placement.in(Placement.State.UNWINDING));
    draft.put(placement.next(next.id(), offerOf(attempt, action)));
  }

  private static String offerOf(Attempt attempt, Action action) {
    JobRequest request = Objects.requireNonNull(action.job(), "a start has a job");
    Place place = Objects.requireNonNull(request.place(), "what is bought has a place");
    return place.key(Objects.requireNonNull(attempt.backend()));
  }

  private static boolean isPresent(Draft draft, Attempt attempt) {
    return draft
        .find(Resource.class, attempt.id())
        .filter(resource -> resource.phase() == Resource.State.PRESENT)
        .isPresent();
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
    Attempt known = attempt.startedAt() == null && from != null ? attempt.running(from) : attempt;
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
          case INTERRUPTED -> JobReason.INTERRUPTED_BY_NO_CAPACITY;
          case START_FAILED -> JobReason.CREATING_CONTAINER_ERROR;
        };
    String message = exited.detail().isEmpty() ? null : exited.detail();
    if (message == null && exited.cause() == JobObservation.Cause.OUT_OF_MEMORY) {
      message = "the job needed more memory than it may use";
    }
    if (message == null && reason == JobReason.CONTAINER_EXITED_WITH_ERROR) {
      message = "the commands ended with exit code " + exited.code();
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
    if (already && (endsWithItsKill(attempt) || attempt.reason() == reason)) {
      return;
    }
    if (already && reason != JobReason.ABORTED_BY_USER) {
      return;
    }
    Attempt ending = attempt.ending(reason);
    draft.put(ending);
    draft
        .find(Job.class, attempt.jobId())
        .filter(Job::active)
        .ifPresent(job -> draft.put(job.in(JobStatus.TERMINATING, reason)));
    takeBack(draft, ending, now);
  }

  /**
   * Whether nobody is there who could say how it ends, so that the report of its kill is the end.
   */
  private static boolean endsWithItsKill(Attempt attempt) {
    return attempt.reason() == JobReason.EXECUTOR_ERROR
        || attempt.reason() == JobReason.CREATING_CONTAINER_ERROR;
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
    Action before = underWay(draft, resource);
    if (before != null && (before.state() == Action.State.IN_FLIGHT || before.type() == type)) {
      // One action at a time per resource: the report of the one under way continues.
      return;
    }
    if (before != null) {
      draft.put(before.in(Action.State.REVOKED));
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

  private static @Nullable Action underWay(Draft draft, Resource resource) {
    String id = resource.actionId();
    return id == null ? null : draft.action(id).orElse(null);
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
        .ifPresent(resource -> gone(draft, resource));
    if (attempt.instanceId() != null) {
      draft
          .find(Instance.class, attempt.instanceId())
          .ifPresent(instance -> draft.put(instance.release(attempt.id())));
    }
    draft.event("attempt.ended", ended, Event.SERVER, ending(ended));
    RunLife.follow(draft, attempt.runId(), at);
  }

  private static void gone(Draft draft, Resource resource) {
    Action before = underWay(draft, resource);
    if (before != null && before.state() == Action.State.PENDING) {
      draft.put(before.in(Action.State.REVOKED));
    }
    draft.put(resource.in(Resource.State.GONE, null));
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
