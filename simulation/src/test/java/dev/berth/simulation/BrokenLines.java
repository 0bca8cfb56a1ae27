package dev.berth.simulation;

import dev.berth.decisions.Decisions;
import dev.berth.decisions.Draft;
import dev.berth.decisions.Message;
import dev.berth.decisions.OfferView;
import dev.berth.decisions.Reply;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.model.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rules of who comes when and where, and at what price, with one of them broken. */
final class BrokenLines {
  private static final int MOST_URGENT = 100;

  private BrokenLines() {}

  /** Whoever waits is placed as if every machine that was bought were free. */
  static final class OverbooksBoughtMachines extends BrokenRules {
    @Override
    public void schedule(Draft draft, OfferView market, Instant now) {
      List<Instance> bought =
          draft.active(Instance.class).stream()
              .filter(machine -> machine.purchase() != null && machine.status().isReady())
              .toList();
      bought.forEach(machine -> empty(draft, machine, now));
      super.schedule(draft, market, now);
      for (Instance before : bought) {
        Instance after = draft.find(Instance.class, before.id()).orElseThrow();
        for (var user : before.allocations().entrySet()) {
          after = after.allocate(user.getKey(), user.getValue());
        }
        draft.put(after);
      }
    }
  }

  /** The least urgent comes first. */
  static final class TurnsTheLineRound extends BrokenRules {
    @Override
    public void schedule(Draft draft, OfferView market, Instant now) {
      turn(draft);
      super.schedule(draft, market, now);
      turn(draft);
    }

    private static void turn(Draft draft) {
      List.copyOf(draft.active(Placement.class))
          .forEach(
              placement -> draft.put(placement.withPriority(MOST_URGENT - placement.priority())));
    }
  }

  /** Who uses a part of a machine pays for all of it. */
  static final class ChargesForWholeMachines extends BrokenRules {
    @Override
    public void schedule(Draft draft, OfferView market, Instant now) {
      super.schedule(draft, market, now);
      for (Instance machine : List.copyOf(draft.active(Instance.class))) {
        for (String user : machine.allocations().keySet()) {
          draft
              .find(Attempt.class, user)
              .filter(attempt -> attempt.active() && attempt.startedAt() == null)
              .filter(attempt -> attempt.price() < machine.price())
              .ifPresent(attempt -> draft.put(attempt.placedOn(machine, machine.price())));
        }
      }
    }
  }

  /** The end of one node of several is no end for the others. */
  static final class LetsGangsRunOn extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      Optional<Attempt> failed =
          message instanceof Message.Observed observed
                  && observed.observation() instanceof JobObservation.Exited exited
                  && !Integer.valueOf(0).equals(exited.code())
              ? draft.find(Attempt.class, observed.attemptId()).filter(Attempt::active)
              : Optional.empty();
      boolean others =
          failed
              .flatMap(attempt -> draft.find(Placement.class, attempt.placementId()))
              .filter(placement -> placement.members().size() > 1)
              .isPresent();
      if (failed.isEmpty() || !others) {
        return super.decide(draft, message, now);
      }
      Attempt attempt = failed.get();
      Attempt ended = attempt.ended(JobReason.CONTAINER_EXITED_WITH_ERROR, null, 1, now);
      draft.put(ended);
      draft
          .find(Run.class, attempt.runId())
          .ifPresent(run -> draft.put(run.charged(ended.cost(now))));
      draft
          .find(Resource.class, attempt.id())
          .ifPresent(resource -> draft.put(resource.in(Resource.State.GONE, null)));
      return new Reply.None();
    }
  }

  /** One node of several takes its place before the others have theirs. */
  static final class PlacesPartsOfGangs extends BrokenRules {
    @Override
    public void schedule(Draft draft, OfferView market, Instant now) {
      super.schedule(draft, market, now);
      for (Placement placement : List.copyOf(draft.active(Placement.class))) {
        if (placement.phase() == Placement.State.RESERVING && placement.members().size() > 1) {
          draft
              .find(Attempt.class, placement.members().getFirst())
              .filter(attempt -> attempt.status() == JobStatus.SUBMITTED)
              .ifPresent(attempt -> draft.put(attempt.placedAt("host", 0)));
        }
      }
    }
  }

  /** The next execution of a schedule does not wait for the end of the one before. */
  static final class OverlapsExecutions extends BrokenRules {
    @Override
    public Reply decide(Draft draft, Message message, Instant now) {
      Reply reply = super.decide(draft, message, now);
      if (message instanceof Message.Observed observed
          && observed.observation() instanceof JobObservation.Running) {
        draft
            .find(Attempt.class, observed.attemptId())
            .flatMap(attempt -> draft.find(Run.class, attempt.runId()))
            .filter(run -> run.policy().isScheduled() && run.status() == RunStatus.RUNNING)
            .ifPresent(
                run -> {
                  draft.put(run.waiting(now, null));
                  Decisions.decide(draft, new Message.Due(Entity.Kind.RUN, run.id()), now);
                });
      }
      return reply;
    }
  }
}
