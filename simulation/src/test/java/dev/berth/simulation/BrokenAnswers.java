package dev.berth.simulation;

import dev.berth.decisions.Draft;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.model.Action;
import dev.berth.model.Entity;
import dev.berth.model.JobObservation;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rules about what providers say late, or say and take back, each with one thing broken. */
final class BrokenAnswers {
  private BrokenAnswers() {}

  /** What is observed of resources is something else. */
  static class Misread extends BrokenRules {
    private final UnaryOperator<ResourceObservation> wrong;

    Misread(UnaryOperator<ResourceObservation> wrong) {
      this.wrong = wrong;
    }

    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      return message instanceof Message.ResourceObserved seen
          ? super.decide(
              draft,
              new Message.ResourceObserved(seen.resourceId(), wrong.apply(seen.observation())),
              now)
          : super.decide(draft, message, now);
    }
  }

  private static boolean isRefused(ResourceObservation seen) {
    return seen.state() == ResourceObservation.State.REFUSED;
  }

  /** What was refused late counts as broken, and is deleted until it is gone, which it never is. */
  static final class DeletesWhatWasRefused extends Misread {
    DeletesWhatWasRefused() {
      super(
          seen ->
              isRefused(seen)
                  ? new ResourceObservation(
                      ResourceObservation.State.FAILED, null, null, seen.detail())
                  : seen);
    }
  }

  /** What was refused late counts as taken back. */
  static final class TakesRefusalsForInterruptions extends Misread {
    TakesRefusalsForInterruptions() {
      super(seen -> isRefused(seen) ? ResourceObservation.ABSENT : seen);
    }
  }

  /** That a place will be taken back is not heard. */
  static final class IgnoresNotices extends Misread {
    IgnoresNotices() {
      super(
          seen ->
              new ResourceObservation(
                  seen.state(), seen.endpoint(), null, seen.detail(), seen.refusal()));
    }

    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      return message instanceof Message.Observed seen
              && seen.observation() instanceof JobObservation.Running running
          ? super.decide(
              draft,
              new Message.Observed(
                  seen.attemptId(),
                  new JobObservation.Running(running.startedAt(), running.warnings())),
              now)
          : super.decide(draft, message, now);
    }
  }

  /** Machines that are not listed any more are used as before. */
  static final class UsesMachinesThatAreAway extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      return message instanceof Message.InventoryRead
          ? new Reply.None()
          : super.decide(draft, message, now);
    }
  }

  /** The place of a job that has ended is not given back. */
  static final class NeverReleases extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      Reply reply = super.decide(draft, message, now);
      for (Resource resource : List.copyOf(draft.active(Resource.class))) {
        String id = resource.actionId();
        if (id != null && resource.phase() == Resource.State.LEAVING) {
          draft
              .action(id)
              .filter(action -> action.operation() instanceof Operation.ReleaseJob)
              .filter(action -> action.state() == Action.State.IN_FLIGHT)
              .ifPresent(action -> draft.put(action.held()));
        }
      }
      return reply;
    }
  }

  /** A delete that was accepted is not repeated, whatever the provider shows. */
  static final class NeverDeletesAgain extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      boolean ignored =
          message instanceof Message.Due due
              && due.kind() == Entity.Kind.RESOURCE
              && draft
                  .find(Resource.class, due.id())
                  .filter(resource -> resource.type() != ResourceType.JOB)
                  .filter(resource -> resource.phase() == Resource.State.LEAVING)
                  .map(resource -> resource.dueAt(now.plusSeconds(60)))
                  .map(
                      resource -> {
                        draft.put(resource);
                        return true;
                      })
                  .orElse(false);
      return ignored ? new Reply.None() : super.decide(draft, message, now);
    }
  }
}
