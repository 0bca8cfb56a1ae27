package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Instance;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import java.time.Instant;
import java.util.Map;

/** The entrance: one message, one decision. */
public final class Decisions {
  /** The rules that Berth goes by. */
  public static final Rules RULES =
      new Rules() {
        @Override
        public Reply decide(Draft draft, Message message, Instant now) {
          return Decisions.decide(draft, message, now);
        }

        @Override
        public void schedule(Draft draft, OfferView offers, Instant now) {
          Decisions.schedule(draft, offers, now);
        }
      };

  private Decisions() {}

  /** Decides about a message; the changes are in the draft. */
  public static Reply decide(Draft draft, Message message, Instant now) {
    return switch (message) {
      case Message.Submit submit -> RunLife.submit(draft, submit, now);
      case Message.Stop stop -> RunLife.stop(draft, stop, now);
      case Message.Delete delete -> RunLife.delete(draft, delete, now);
      case Message.ActionReported reported -> {
        draft
            .action(reported.actionId())
            .ifPresent(action -> ActionReports.reported(draft, action, reported.outcome(), now));
        yield new Reply.None();
      }
      case Message.Observed observed -> {
        AttemptLife.observed(draft, observed.attemptId(), observed.observation(), now);
        yield new Reply.None();
      }
      case Message.InstanceFound found -> {
        Instance known = draft.find(Instance.class, found.instance().id()).orElse(null);
        Instance current = known == null ? found.instance() : known.refreshed(found.instance());
        if (!current.equals(known)) {
          draft.put(current);
          // The room on a disk changes all the time, and is no news.
          if (known == null || current.differsBesidesDisk(known)) {
            draft.event(
                "instance.found",
                current,
                Event.SERVER,
                Map.of("name", current.name(), "cpus", current.capacity().cpus()));
          }
        }
        yield new Reply.None();
      }
      case Message.InventoryRead read -> {
        BackendLife.read(draft, read);
        yield new Reply.None();
      }
      case Message.BackendOpened opened -> {
        ActionReports.unpark(draft, opened.backend(), now);
        yield new Reply.None();
      }
      // The pass after the batch looks at them.
      case Message.OffersChanged _ -> new Reply.None();
      case Message.BackendRemoved removed -> BackendLife.remove(draft, removed);
      case Message.BackendTold told -> BackendLife.told(draft, told);
      case Message.Prioritise prioritise -> RunLife.prioritise(draft, prioritise);
      case Message.Execute execute -> RunLife.execute(draft, execute);
      case Message.ApplyFleet apply -> FleetLife.apply(draft, apply, now);
      case Message.DeleteFleet delete -> FleetLife.delete(draft, delete, now);
      case Message.ResourceObserved observed -> {
        draft
            .find(Resource.class, observed.resourceId())
            .filter(Resource::active)
            .ifPresent(
                resource -> ResourceLife.observed(draft, resource, observed.observation(), now));
        yield new Reply.None();
      }
      case Message.Equipped equipped -> {
        InstanceLife.equipped(draft, equipped.instanceId(), equipped.facts(), now);
        yield new Reply.None();
      }
      case Message.NotEquipped not -> {
        InstanceLife.notEquipped(draft, not.instanceId(), not.message(), not.permanent(), now);
        yield new Reply.None();
      }
      case Message.Unseen unseen -> {
        Unreachable.unseen(draft, unseen.attemptId(), now);
        yield new Reply.None();
      }
      case Message.Underused underused -> {
        AttemptLife.underused(draft, underused.attemptId(), now);
        yield new Reply.None();
      }
      case Message.Swept swept -> {
        Sweep.decide(draft, swept, now);
        yield new Reply.None();
      }
      case Message.Due due -> {
        due(draft, due, now);
        yield new Reply.None();
      }
      case Message.Hook hook -> HookRules.decide(draft, hook, now);
      case Message.Access access -> AccessRules.decide(draft, access, now);
      case Message.ActionDue due -> {
        draft
            .action(due.actionId())
            .filter(action -> action.state() == Action.State.PENDING)
            .ifPresent(action -> draft.put(action.in(Action.State.IN_FLIGHT)));
        yield new Reply.None();
      }
    };
  }

  private static void due(Draft draft, Message.Due due, Instant now) {
    switch (due.kind()) {
      case RESOURCE ->
          draft
              .find(Resource.class, due.id())
              .filter(Resource::active)
              .ifPresent(resource -> ResourceLife.overdue(draft, resource, now));
      case INSTANCE ->
          draft
              .find(Instance.class, due.id())
              .filter(Instance::active)
              .ifPresent(instance -> InstanceLife.overdue(draft, instance, now));
      case RUN ->
          draft
              .find(Run.class, due.id())
              .filter(Run::active)
              .ifPresent(run -> RunLife.begin(draft, run, now));
      case PLACEMENT ->
          draft
              .find(Placement.class, due.id())
              .filter(Placement::active)
              .ifPresent(placement -> backInLine(draft, placement, now));
      case ATTEMPT -> Unreachable.overdue(draft, due.id(), now);
      case TOKEN -> TokenLife.overdue(draft, due.id(), now);
      // The pass looks at fleets; the others have no time of their own.
      case FLEET, JOB, USER, PROJECT, MEMBER, SECRET, WEBHOOK -> {}
    }
  }

  private static void backInLine(Draft draft, Placement placement, Instant now) {
    Instant due = placement.due();
    if (due != null && !due.isAfter(now)) {
      draft.put(placement.inLine());
      RunLife.follow(draft, placement.runId(), now);
    }
  }

  /** Gives places to those who wait; once after a batch of messages. */
  public static void schedule(Draft draft, OfferView offers, Instant now) {
    new Scheduler(draft, offers, now).pass();
  }
}
