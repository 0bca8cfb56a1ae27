package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.BackendKey;
import dev.berth.model.Job;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * What is done about things of which nobody knows whether they were made, where asking again would
 * make a second one: they are looked for, not before they must show, and twice before they count as
 * not made.
 */
final class InDoubt {
  /** So many looks have to find nothing. */
  static final int EMPTY_LOOKS = 2;

  /** A look is repeated for as long as it takes. */
  private static final Duration PATIENCE = Duration.ofDays(3650);

  private InDoubt() {}

  /** The answer to a creation was lost. */
  static void begin(
      Draft draft, Action creation, Resource resource, Duration lookAfter, Instant now) {
    draft.put(creation.in(Action.State.FAILED));
    Action look =
        Action.now(resource.actionId("look"), lookFor(creation), resource, now.plus(PATIENCE))
            .parked(now.plus(lookAfter));
    draft.put(look);
    draft.put(resource.inDoubt(look.id(), now));
    draft.event(
        "resource.in_doubt",
        resource,
        Event.SERVER,
        Map.of("backend", BackendKey.name(resource.backend())));
  }

  private static Operation lookFor(Action creation) {
    return switch (creation.operation()) {
      case Operation.StartJob start -> new Operation.FindJob(start.request());
      case Operation.Create create -> new Operation.Find(create.request());
      case Operation.OnJob _, Operation.OnResource _ ->
          throw new IllegalArgumentException("it makes nothing: " + creation.id());
    };
  }

  /** Nothing was found: looks once more, or returns true where that was often enough. */
  static boolean foundNothing(
      Draft draft, Action action, Resource resource, Duration pause, Instant now) {
    Resource looked = resource.looked();
    if (looked.looks() < EMPTY_LOOKS) {
      draft.put(looked);
      draft.put(action.parked(now.plus(pause)));
      return false;
    }
    draft.put(action.in(Action.State.DONE));
    return true;
  }

  /** A job that may have been started was looked for. */
  static void lookedForJob(Draft draft, Action action, ActionOutcome.Looked looked, Instant now) {
    Resource resource =
        draft.find(Resource.class, action.resourceId()).filter(Resource::active).orElse(null);
    Attempt attempt =
        draft.find(Attempt.class, action.resourceId()).filter(Attempt::active).orElse(null);
    if (resource == null || attempt == null) {
      draft.put(action.in(Action.State.DONE));
      return;
    }
    boolean wanted = attempt.status() != JobStatus.TERMINATING;
    if (looked.found().isEmpty()) {
      if (foundNothing(draft, action, resource, looked.pause(), now)) {
        notStarted(draft, action, attempt, resource, wanted, now);
      }
      return;
    }
    draft.put(action.in(Action.State.DONE));
    draft.put(resource.in(Resource.State.PRESENT, null));
    if (!wanted) {
      AttemptLife.takeBack(draft, attempt, now);
    } else if (looked.found().size() == 1) {
      AttemptLife.started(draft, attempt, now, now);
    } else {
      startAnew(draft, attempt, looked.found().size(), now);
    }
  }

  /** What was asked for never came: the same try goes on, under the same key. */
  private static void notStarted(
      Draft draft, Action look, Attempt attempt, Resource resource, boolean wanted, Instant now) {
    if (!wanted) {
      ResourceLife.gone(draft, resource);
      JobReason reason =
          attempt.reason() == null ? JobReason.TERMINATED_BY_SERVER : attempt.reason();
      AttemptLife.end(draft, attempt, reason, attempt.message(), null, now);
      return;
    }
    Starts.ask(draft, resource, look.job().orElseThrow(), now);
  }

  /** A look through the provider's jobs found more than one of a key. */
  static void doubled(Draft draft, Attempt attempt, Instant now) {
    boolean settled =
        draft
            .find(Resource.class, attempt.id())
            .filter(resource -> resource.phase() == Resource.State.PRESENT)
            .filter(resource -> resource.actionId() == null)
            .isPresent();
    if (settled && attempt.status() == JobStatus.RUNNING) {
      startAnew(draft, attempt, 2, now);
    }
  }

  /**
   * The provider started it more than once. Which one counts nobody could say, so all are ended,
   * and the replica is tried once more under other keys.
   */
  private static void startAnew(Draft draft, Attempt attempt, int count, Instant now) {
    Placement placement = draft.find(Placement.class, attempt.placementId()).orElseThrow();
    draft.put(placement.in(Placement.State.UNWINDING));
    Attempt ending =
        AttemptLife.ending(
            draft,
            attempt.because("the provider started it " + count + " times; it is being restarted"),
            JobReason.TERMINATED_BY_SERVER);
    AttemptLife.ask(draft, ending, new Operation.KillJob(), now);
    for (String member : placement.members()) {
      draft
          .find(Attempt.class, member)
          .filter(other -> other.active() && !other.id().equals(attempt.id()))
          .ifPresent(other -> AttemptLife.stop(draft, other, JobReason.TERMINATED_BY_SERVER, now));
    }
    draft
        .find(Job.class, attempt.jobId())
        .ifPresent(job -> RunLife.follow(draft, job.runId(), now));
  }
}
