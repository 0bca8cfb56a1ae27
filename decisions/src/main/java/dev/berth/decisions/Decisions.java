package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.Entity;
import dev.berth.model.Instance;
import dev.berth.model.Resource;
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
        public void schedule(Draft draft, Market market, Instant now) {
          Decisions.schedule(draft, market, now);
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
            .ifPresent(action -> AttemptLife.reported(draft, action, reported.outcome(), now));
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
          draft.event(
              "instance.found",
              current,
              Event.SERVER,
              Map.of("name", current.name(), "cpus", current.capacity().cpus()));
        }
        yield new Reply.None();
      }
      case Message.BackendOpened opened -> {
        AttemptLife.unpark(draft, opened.backend(), now);
        yield new Reply.None();
      }
      // The pass after the batch looks at them.
      case Message.OffersChanged _ -> new Reply.None();
      case Message.BackendRemoved removed -> BackendLife.remove(draft, removed);
      case Message.Due due -> {
        draft
            .find(Resource.class, due.id())
            .filter(resource -> due.kind() == Entity.Kind.RESOURCE)
            .ifPresent(resource -> AttemptLife.overdue(draft, resource, now));
        yield new Reply.None();
      }
      case Message.ActionDue due -> {
        draft
            .action(due.actionId())
            .filter(action -> action.state() == Action.State.PENDING)
            .ifPresent(action -> draft.put(action.in(Action.State.IN_FLIGHT)));
        yield new Reply.None();
      }
    };
  }

  /** Gives places to those who wait; once after a batch of messages. */
  public static void schedule(Draft draft, Market market, Instant now) {
    new Scheduler(draft, market, now).pass();
  }
}
