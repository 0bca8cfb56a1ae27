package dev.berth.simulation;

import dev.berth.decisions.Decisions;
import dev.berth.decisions.Draft;
import dev.berth.decisions.Message;
import dev.berth.decisions.OfferView;
import dev.berth.decisions.Reply;
import dev.berth.decisions.Rules;
import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.JobStatus;
import dev.berth.model.Run;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Berth's rules with one of them broken. */
class BrokenRules implements Rules {
  @Override
  public Reply decide(Draft draft, Message message, Instant now) {
    return Decisions.decide(draft, message, now);
  }

  @Override
  public void schedule(Draft draft, OfferView market, Instant now) {
    Decisions.schedule(draft, market, now);
  }

  /** Forgets who uses a machine. */
  static void empty(Draft draft, Instance machine, Instant now) {
    Instance free = machine;
    for (String attempt : machine.allocations().keySet()) {
      free = free.release(attempt, now);
    }
    draft.put(free);
  }

  /** Takes a job for ended that nobody saw end. */
  private static void end(Draft draft, Attempt attempt, JobObservation.Cause cause, Instant now) {
    JobObservation ended = new JobObservation.Exited(0, cause, "", attempt.startedAt(), now);
    Decisions.decide(draft, new Message.Observed(attempt.id(), ended), now);
  }

  /** A call that failed is believed to have made nothing, be it a job or a machine. */
  static final class NeverKillsAfterALostStart extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      if (message instanceof Message.ActionReported reported
          && reported.outcome() instanceof ActionOutcome.Failed failed
          && draft
              .action(reported.actionId())
              .filter(action -> action.type().makes())
              .isPresent()) {
        ActionOutcome sure = ActionOutcome.Failed.soldOut(failed.message());
        return super.decide(draft, new Message.ActionReported(reported.actionId(), sure), now);
      }
      return super.decide(draft, message, now);
    }
  }

  /** A stop or kill that failed is believed to have ended the job. */
  static final class BelievesFailedKills extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      Reply reply = super.decide(draft, message, now);
      if (message instanceof Message.ActionReported reported
          && reported.outcome() instanceof ActionOutcome.Failed) {
        draft
            .action(reported.actionId())
            .filter(
                action ->
                    action.type() == Action.Type.KILL_JOB || action.type() == Action.Type.STOP_JOB)
            .flatMap(action -> draft.find(Attempt.class, action.resourceId()))
            .ifPresent(attempt -> end(draft, attempt, JobObservation.Cause.KILLED, now));
      }
      return reply;
    }
  }

  /** What a stopped job has of its machine is given away before the job has ended. */
  static final class ReleasesTooEarly extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      Reply reply = super.decide(draft, message, now);
      for (Attempt attempt : List.copyOf(draft.active(Attempt.class))) {
        if (attempt.status() == JobStatus.TERMINATING && attempt.instanceId() != null) {
          draft
              .find(Instance.class, attempt.instanceId())
              .ifPresent(machine -> draft.put(machine.release(attempt.id(), now)));
        }
      }
      return reply;
    }
  }

  /** Whoever waits is placed as if every machine were free. */
  static final class Overbooks extends BrokenRules {
    @Override
    public void schedule(Draft draft, OfferView market, Instant now) {
      List.copyOf(draft.active(Instance.class)).forEach(machine -> empty(draft, machine, now));
      super.schedule(draft, market, now);
    }
  }

  /** The end of a run is told twice. */
  static final class EndsTwice extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      Reply reply = super.decide(draft, message, now);
      if (message instanceof Message.Observed observed
          && observed.observation() instanceof JobObservation.Exited) {
        draft
            .find(Attempt.class, observed.attemptId())
            .ifPresent(
                attempt -> draft.event("attempt.ended", attempt, "server", Map.of("again", true)));
      }
      return reply;
    }
  }

  /** Jobs that the provider ended are not noticed, nor that they are not there any more. */
  static final class IgnoresInterruptions extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      boolean ignored =
          message instanceof Message.Observed observed
              && switch (observed.observation()) {
                case JobObservation.Exited exited ->
                    exited.cause() == JobObservation.Cause.INTERRUPTED;
                case JobObservation.Absent _ -> true;
                case JobObservation.Prepared _, JobObservation.Running _, JobObservation.Lost _ ->
                    false;
              };
      return ignored ? new Reply.None() : super.decide(draft, message, now);
    }
  }

  /** That a call did not come back is nothing to act upon. */
  static final class WaitsForSilentCalls extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      boolean ignored =
          message instanceof Message.ActionReported reported
              && reported.outcome() instanceof ActionOutcome.Failed failed
              && failed.message().contains("did not respond for");
      return ignored ? new Reply.None() : super.decide(draft, message, now);
    }
  }

  /** A run that is stopped counts as ended before its job has. */
  static final class EndsBeforeTheJobDoes extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      if (message instanceof Message.Stop stop) {
        draft
            .activeRun(stop.project(), stop.name())
            .map(Run::id)
            .ifPresent(
                run ->
                    List.copyOf(draft.active(Attempt.class)).stream()
                        .filter(attempt -> attempt.runId().equals(run))
                        .filter(attempt -> attempt.status() == JobStatus.RUNNING)
                        .forEach(
                            attempt -> end(draft, attempt, JobObservation.Cause.STOPPED, now)));
      }
      return super.decide(draft, message, now);
    }
  }
}
