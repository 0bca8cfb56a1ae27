package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.Place;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What follows from how an action on a job went. */
final class ActionReports {
  /** How often a start is tried before it is given up. */
  private static final int START_TRIES = 3;

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  /** How often it is looked whether a backend is there again. */
  private static final Duration PARKED = Duration.ofMinutes(1);

  /** How long after a stop's grace the machine is asked once more, by force. */
  private static final Duration STOP_SLACK = Duration.ofSeconds(30);

  private ActionReports() {}

  /** An action was carried out, or not. */
  static void reported(Draft draft, Action action, ActionOutcome outcome, Instant now) {
    if (outcome instanceof ActionOutcome.Parked parked) {
      park(draft, action, parked.message(), now);
    } else {
      switch (action.operation()) {
        case Operation.OnJob operation -> {
          onJob(draft, action, operation, outcome, now);
          releaseWhatHasEnded(draft, action.resourceId(), now);
        }
        case Operation.OnResource _ -> ResourceLife.reported(draft, action, outcome, now);
      }
    }
    // A removal waits for the report of whatever was under way when its run was deleted.
    draft
        .action(removal(action.resourceId()))
        .filter(removal -> removal.state() == Action.State.PENDING && removal.due() == null)
        .filter(removal -> !isUnderWay(draft, removal.resourceId()))
        .ifPresent(removal -> draft.put(removal.in(Action.State.IN_FLIGHT)));
  }

  private static void onJob(
      Draft draft, Action action, Operation.OnJob operation, ActionOutcome outcome, Instant now) {
    switch (outcome) {
      case ActionOutcome.Done done -> {
        draft.put(action.in(Action.State.DONE));
        done(draft, action, operation, done.at(), now);
      }
      case ActionOutcome.Created created -> {
        draft.put(action.in(Action.State.DONE));
        done(draft, action, operation, created.at(), now);
      }
      case ActionOutcome.Looked looked -> InDoubt.lookedForJob(draft, action, looked, now);
      case ActionOutcome.Failed failed -> failed(draft, action, operation, failed, now);
      case ActionOutcome.MissingSecret missing -> missing(draft, action, missing.message(), now);
      case ActionOutcome.Parked _ -> throw new IllegalStateException("parking is the same for all");
    }
  }

  /** A job that was rented and has ended is given back as soon as nothing is under way for it. */
  private static void releaseWhatHasEnded(Draft draft, String attemptId, Instant now) {
    draft
        .find(Resource.class, attemptId)
        .filter(Resource::active)
        .filter(resource -> !resource.ownerId().isEmpty())
        .filter(resource -> draft.find(Attempt.class, attemptId).filter(Attempt::active).isEmpty())
        .filter(_ -> !isUnderWay(draft, attemptId))
        .ifPresent(resource -> ResourceLife.release(draft, resource, now));
  }

  /** Nobody was asked, and nobody will be: the same would be missing again. */
  private static void missing(Draft draft, Action action, String message, Instant now) {
    draft.put(action.in(Action.State.FAILED));
    draft
        .find(Attempt.class, action.resourceId())
        .filter(Attempt::active)
        .ifPresent(attempt -> giveUp(draft, attempt, message, JobReason.MISSING_SECRET, now));
  }

  /** Waits for the backend without counting a try; the user sees what is waited for. */
  private static void park(Draft draft, Action action, String message, Instant now) {
    draft.put(action.parked(now.plus(PARKED)));
    draft
        .find(Attempt.class, action.resourceId())
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
    for (Resource resource : List.copyOf(draft.active(Resource.class))) {
      if (backend.equals(resource.backend()) && resource.phase() != Resource.State.IN_DOUBT) {
        Optional.ofNullable(resource.actionId())
            .flatMap(draft::action)
            .filter(action -> action.state() == Action.State.PENDING && action.due() != null)
            .ifPresent(action -> draft.put(action.parked(now)));
      }
    }
  }

  /** The id of the action that removes what an attempt left. */
  static String removal(String attemptId) {
    return attemptId + "-remove";
  }

  /** Whether anything but a removal is unfinished for an attempt. */
  static boolean isUnderWay(Draft draft, String attemptId) {
    return draft.actionsOn(attemptId).stream()
        .anyMatch(action -> action.type() != Action.Type.REMOVE_JOB);
  }

  private static void done(
      Draft draft, Action action, Operation.OnJob operation, Instant at, Instant now) {
    Resource resource = draft.find(Resource.class, action.resourceId()).orElse(null);
    Attempt attempt = draft.find(Attempt.class, action.resourceId()).orElse(null);
    if (resource != null
        && (resource.ownerId().isEmpty() || operation instanceof Operation.ReleaseJob)) {
      ResourceLife.gone(draft, resource);
    }
    if (resource == null || attempt == null || !attempt.active()) {
      return;
    }
    switch (operation) {
      case Operation.StartJob _ -> {
        draft.put(resource.in(Resource.State.PRESENT, null));
        if (attempt.status() == JobStatus.TERMINATING) {
          AttemptLife.takeBack(draft, attempt, now);
        } else {
          AttemptLife.started(draft, attempt, at, now);
        }
      }
      case Operation.StopJob stop -> {
        Instant killedAt = now.plus(stop.grace()).plus(STOP_SLACK);
        draft.put(
            resource
                .in(Resource.State.LEAVING, null)
                .dueAt(AttemptLife.clearAt(resource).orElse(killedAt)));
        if (AttemptLife.killsAtOnce(attempt)) {
          AttemptLife.ask(draft, attempt, new Operation.KillJob(), now);
        }
      }
      case Operation.KillJob _ -> {
        Optional<Instant> clear = AttemptLife.clearAt(resource);
        Instant due = clear.filter(now::isBefore).orElse(now.plus(STOP_SLACK));
        draft.put(resource.in(Resource.State.LEAVING, null).dueAt(due));
        JobReason reason = attempt.reason();
        // Where its start may still come to light, only a kill after that is the end.
        boolean last =
            clear.map(time -> !now.isBefore(time)).orElse(AttemptLife.endsWithItsKill(attempt));
        if (reason != null && last) {
          AttemptLife.end(draft, attempt, reason, attempt.message(), null, now);
        }
      }
      case Operation.ReleaseJob _, Operation.RemoveJob _, Operation.FindJob _ -> {}
    }
  }

  private static void failed(
      Draft draft,
      Action action,
      Operation.OnJob operation,
      ActionOutcome.Failed failed,
      Instant now) {
    Attempt attempt =
        draft.find(Attempt.class, action.resourceId()).filter(Attempt::active).orElse(null);
    if (operation instanceof Operation.StartJob start && attempt != null) {
      startFailed(draft, action, start, attempt, failed, now);
      return;
    }
    Resource resource = draft.find(Resource.class, action.resourceId()).orElse(null);
    // What takes something back, or looks for it, is tried for ever.
    boolean again =
        switch (operation) {
          case Operation.ReleaseJob _, Operation.RemoveJob _ -> true;
          case Operation.StartJob _,
              Operation.StopJob _,
              Operation.KillJob _,
              Operation.FindJob _ ->
              attempt != null || (resource != null && resource.ownerId().isEmpty());
        };
    draft.put(again ? later(action, failed, now) : action.in(Action.State.FAILED));
    if (operation instanceof Operation.ReleaseJob && resource != null) {
      ResourceLife.tellIfItDoesNotGo(draft, resource, action.attempts() + 1);
    }
  }

  /**
   * The same action, after a pause that grows; after the one that was asked for, if there is one.
   */
  static Action later(Action action, ActionOutcome.Failed failed, Instant now) {
    Duration asked = failed.delay();
    if (asked != null) {
      // Nothing was tried, so nothing is counted.
      return action.parked(now.plus(within(asked)));
    }
    Duration usual = FIRST_RETRY.multipliedBy(1L << Math.min(action.attempts(), 10));
    return action.again(now.plus(within(usual)));
  }

  private static Duration within(Duration wait) {
    Duration most = wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    return most.compareTo(FIRST_RETRY) < 0 ? FIRST_RETRY : most;
  }

  private static void startFailed(
      Draft draft,
      Action action,
      Operation.StartJob start,
      Attempt attempt,
      ActionOutcome.Failed failed,
      Instant now) {
    Resource resource = draft.find(Resource.class, attempt.id()).orElseThrow();
    if (resource.phase() == Resource.State.PRESENT) {
      // It was seen running: only the answer to the start was lost.
      draft.put(action.in(Action.State.DONE));
      done(draft, action, start, now, now);
      return;
    }
    if (failed.lookAfter() != null) {
      InDoubt.begin(draft, action, resource, failed.lookAfter(), now);
      return;
    }
    boolean wanted = attempt.status() != JobStatus.TERMINATING;
    if (failed.noCapacity() && attempt.instanceId() == null) {
      // The provider made nothing, so there is nothing to take back.
      draft.put(action.in(Action.State.FAILED));
      ResourceLife.gone(draft, resource);
      soldOut(draft, action, start, attempt, failed.message(), wanted, now);
      return;
    }
    if (wanted && isToldToWait(failed, action, now)) {
      // Nothing was tried, so nothing is counted.
      draft.put(action.parked(now.plus(Objects.requireNonNull(failed.delay()))));
      return;
    }
    if (wanted && isWorthAnotherTry(action, failed, now)) {
      draft.put(later(action, failed, now));
      return;
    }
    draft.put(action.in(Action.State.FAILED));
    giveUp(draft, attempt, failed.message(), JobReason.CREATING_CONTAINER_ERROR, now);
  }

  private static void giveUp(
      Draft draft, Attempt attempt, String message, JobReason reason, Instant now) {
    boolean wanted = attempt.status() != JobStatus.TERMINATING;
    Attempt ending = wanted ? AttemptLife.ending(draft, attempt.because(message), reason) : attempt;
    // The start may have half worked, so whatever is there is taken back before the attempt ends.
    AttemptLife.ask(draft, ending, new Operation.KillJob(), now);
  }

  static boolean isWorthAnotherTry(Action action, ActionOutcome.Failed failed, Instant now) {
    return failed.transientFailure()
        && action.attempts() < START_TRIES
        && now.isBefore(action.deadline());
  }

  /** Whether the provider asked for patience, and there is time for it. */
  static boolean isToldToWait(ActionOutcome.Failed failed, Action action, Instant now) {
    return failed.transientFailure()
        && failed.delay() != null
        && now.plus(failed.delay()).isBefore(action.deadline());
  }

  private static void soldOut(
      Draft draft,
      Action action,
      Operation.StartJob start,
      Attempt attempt,
      String message,
      boolean wanted,
      Instant now) {
    Placement placement = draft.find(Placement.class, attempt.placementId()).orElseThrow();
    JobReason reason =
        wanted || attempt.reason() == null
            ? JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY
            : attempt.reason();
    if (wanted) {
      Place place = Objects.requireNonNull(start.request().place(), "what is bought");
      draft.put(placement.without(place.offerKey(action.backend())).in(Placement.State.UNWINDING));
      draft.find(Run.class, attempt.runId()).ifPresent(run -> draft.put(run.saying(message)));
    }
    AttemptLife.end(draft, attempt, reason, message, null, now);
  }
}
