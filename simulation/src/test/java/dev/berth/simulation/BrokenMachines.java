package dev.berth.simulation;

import dev.berth.decisions.Decisions;
import dev.berth.decisions.Draft;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.MachineFacts;
import dev.berth.model.Operation;
import dev.berth.model.ResourceObservation;
import java.time.Instant;
import java.util.Optional;

/** Rules about machines on which Berth runs jobs, each with one thing broken. */
final class BrokenMachines {
  private BrokenMachines() {}

  /** Stops and kills do not say on which machine the job runs. */
  static Action withoutMachine(Action action) {
    return action.operation() instanceof Operation.StartJob
        ? action
        : new Action(
            action.id(),
            action.operation(),
            action.resourceId(),
            action.backend(),
            action.state(),
            action.attempts(),
            action.due(),
            action.deadline(),
            null);
  }

  /** A machine that its provider calls ready counts as one that jobs can run on. */
  static final class UsesMachinesBeforeItConnects extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      Reply reply = super.decide(draft, message, now);
      if (message instanceof Message.ResourceObserved sighted
          && sighted.observation().state() == ResourceObservation.State.CREATING) {
        Decisions.decide(
            draft, new Message.Equipped(sighted.resourceId(), MachineFacts.AS_OFFERED), now);
      }
      return reply;
    }
  }

  /** Nothing is done about jobs on machines that nobody needs. */
  static final class LeavesJobsOnMachines extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      return message instanceof Message.Swept swept && swept.machineId() != null
          ? new Reply.None()
          : super.decide(draft, message, now);
    }
  }

  /** A machine whose deletion was accepted counts as gone. */
  static final class BelievesAcceptedDeletes extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      Optional<String> deleted =
          message instanceof Message.ActionReported reported
                  && reported.outcome() instanceof ActionOutcome.Done
              ? draft
                  .action(reported.actionId())
                  .filter(action -> action.type() == Action.Type.DELETE)
                  .map(Action::resourceId)
              : Optional.empty();
      Reply reply = super.decide(draft, message, now);
      deleted.ifPresent(
          id ->
              Decisions.decide(
                  draft, new Message.ResourceObserved(id, ResourceObservation.ABSENT), now));
      return reply;
    }
  }
}
