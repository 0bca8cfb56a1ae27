package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What is done about jobs whose machines do not answer. */
final class Unreachable {
  private Unreachable() {}

  /** A look at a job found nobody. */
  static void unseen(Draft draft, String attemptId, Instant now) {
    Attempt attempt = draft.find(Attempt.class, attemptId).filter(Attempt::active).orElse(null);
    if (attempt == null
        || attempt.status() != JobStatus.RUNNING
        || isOnOwnMachine(draft, attempt)) {
      // Machines of users' own are waited for: they come back, and nobody pays for them.
      return;
    }
    if (attempt.unseenSince() == null) {
      draft.put(attempt.unseen(now));
    }
  }

  private static boolean isOnOwnMachine(Draft draft, Attempt attempt) {
    return machine(draft, attempt).filter(instance -> instance.purchase() == null).isPresent();
  }

  private static Optional<Instance> machine(Draft draft, Attempt attempt) {
    return Optional.ofNullable(attempt.instanceId()).flatMap(id -> draft.find(Instance.class, id));
  }

  /** It answers. */
  static Attempt seen(Draft draft, Attempt attempt) {
    if (attempt.unseenSince() == null) {
      return attempt;
    }
    Attempt seen = attempt.unseen(null);
    draft.put(seen);
    return seen;
  }

  /** It was out of sight for as long as allowed: it counts as lost, and its machine goes. */
  static void overdue(Draft draft, String attemptId, Instant now) {
    Attempt attempt = draft.find(Attempt.class, attemptId).filter(Attempt::active).orElse(null);
    Instant due = attempt == null ? null : attempt.due();
    if (attempt == null || due == null || due.isAfter(now)) {
      return;
    }
    Optional<Instance> machine = machine(draft, attempt);
    boolean spot =
        machine
            .flatMap(Instance::bought)
            .map(Purchase::place)
            .map(place -> place.spot())
            .orElse(false);
    String message =
        "the machine could not be reached for " + Attempt.OUT_OF_SIGHT.toMinutes() + " minutes";
    draft.event("attempt.unreachable", attempt, Event.SERVER, Map.of("message", message));
    if (machine.isPresent()) {
      draft.put(attempt.unseen(null));
      InstanceLife.leave(
          draft,
          machine.get(),
          spot ? InstanceReason.INTERRUPTED : InstanceReason.UNREACHABLE,
          message,
          now);
      return;
    }
    draft
        .find(Resource.class, attempt.id())
        .filter(Resource::active)
        .ifPresent(
            _ ->
                AttemptLife.abandon(
                    draft,
                    attempt.unseen(null).because(message),
                    JobReason.INSTANCE_UNREACHABLE,
                    now));
  }
}
