package dev.berth.simulation;

import dev.berth.decisions.Decisions;
import dev.berth.decisions.Draft;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.MachineFacts;
import dev.berth.model.Sight;
import java.time.Instant;
import java.util.Optional;

/** Rules about machines on which Berth runs jobs, each with one thing broken. */
final class BrokenMachines {
  private BrokenMachines() {}

  /** Stops and kills do not say on which machine the job runs. */
  static Action withoutMachine(Action action) {
    return action.type() == Action.Type.START_JOB
        ? action
        : new Action(
            action.id(),
            action.type(),
            action.resourceId(),
            action.backend(),
            action.of(),
            action.job(),
            action.machine(),
            action.ref(),
            action.grace(),
            action.state(),
            action.attempts(),
            action.due(),
            action.deadline());
  }

  /** A machine that its provider calls ready counts as one that jobs can run on. */
  static final class UsesMachinesBeforeItConnects extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      Reply reply = super.decide(draft, message, now);
      if (message instanceof Message.Sighted sighted
          && sighted.sight().state() == Sight.State.CREATING) {
        Decisions.decide(
            draft, new Message.Equipped(sighted.resourceId(), MachineFacts.AS_OFFERED), now);
      }
      return reply;
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
      deleted.ifPresent(id -> Decisions.decide(draft, new Message.Sighted(id, Sight.ABSENT), now));
      return reply;
    }
  }
}
