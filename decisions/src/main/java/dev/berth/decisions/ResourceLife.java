package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.BackendKey;
import dev.berth.model.Instance;
import dev.berth.model.MachineRequest;
import dev.berth.model.Resource;
import dev.berth.model.Sight;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** From the intent to have something at a provider until the provider shows that it is gone. */
final class ResourceLife {
  private static final Duration DEADLINE = Duration.ofMinutes(10);
  private static final Duration FIRST_LOOK_BACK = Duration.ofSeconds(30);
  private static final Duration LONGEST_LOOK_BACK = Duration.ofMinutes(10);

  /** After so many deletes people are told that something does not go. */
  private static final int STUCK_AFTER = 5;

  private ResourceLife() {}

  static @Nullable Action underWay(Draft draft, Resource resource) {
    String id = resource.actionId();
    return id == null ? null : draft.action(id).orElse(null);
  }

  /** Intends a machine; nobody is asked for it yet. */
  static void intend(Draft draft, Instance instance) {
    draft.put(
        new Resource(
            instance.id(),
            instance.project(),
            instance.id(),
            instance.backend(),
            Resource.Type.INSTANCE,
            Resource.State.INTENDED,
            null,
            null,
            null));
  }

  /** Asks for what is intended. */
  static void ask(Draft draft, Resource resource, MachineRequest request, Instant now) {
    String id = resource.actionId("create");
    draft.put(resource.in(Resource.State.ASKED, id));
    draft.put(Action.now(id, Action.Type.CREATE, resource, now.plus(DEADLINE)).with(request));
  }

  /** How an action on something that is no job went. */
  static void reported(Draft draft, Action action, ActionOutcome outcome, Instant now) {
    Resource resource =
        draft.find(Resource.class, action.resourceId()).filter(Resource::active).orElse(null);
    if (resource == null) {
      draft.put(action.in(Action.State.DONE));
      return;
    }
    switch (outcome) {
      case ActionOutcome.Created created -> {
        draft.put(action.in(Action.State.DONE));
        present(draft, resource, created.ref(), now);
      }
      case ActionOutcome.Looked looked -> looked(draft, action, resource, looked, now);
      case ActionOutcome.Done _ -> {
        draft.put(action.in(Action.State.DONE));
        if (action.type() == Action.Type.DELETE) {
          // Accepted is not gone: what the provider shows decides, and until then it is told again.
          draft.put(resource.in(Resource.State.LEAVING, null).dueAt(now.plus(pause(action))));
        }
      }
      case ActionOutcome.Failed failed -> failed(draft, action, resource, failed, now);
      case ActionOutcome.MissingSecret _ ->
          throw new IllegalStateException("only jobs have secrets");
      case ActionOutcome.Parked _ -> throw new IllegalStateException("parking is the same for all");
    }
  }

  private static Duration pause(Action delete) {
    Duration pause = FIRST_LOOK_BACK.multipliedBy(1L << Math.min(delete.attempts() - 1, 10));
    return pause.compareTo(LONGEST_LOOK_BACK) > 0 ? LONGEST_LOOK_BACK : pause;
  }

  private static void present(Draft draft, Resource resource, Resource.Ref ref, Instant now) {
    Resource there = resource.in(Resource.State.PRESENT, null).named(ref);
    draft.put(there);
    if (!Owners.want(draft, resource)) {
      giveBack(draft, there, now);
    } else {
      Owners.made(draft, resource);
    }
  }

  private static void looked(
      Draft draft, Action action, Resource resource, ActionOutcome.Looked looked, Instant now) {
    if (looked.found().isEmpty()) {
      if (!Doubts.foundNothing(draft, action, resource, looked.pause(), now)) {
        return;
      }
      if (Owners.want(draft, resource)) {
        ask(draft, resource, action.requireMachine(), now);
      } else {
        gone(draft, resource);
        Owners.gone(draft, resource, now);
      }
      return;
    }
    draft.put(action.in(Action.State.DONE));
    List<Resource.Ref> extras = looked.found().subList(1, looked.found().size());
    extras.forEach(extra -> deleteExtra(draft, resource, extra, now));
    present(draft, resource, looked.found().getFirst(), now);
  }

  /** Takes back what a provider made more than once. It has a record of its own from now on. */
  static void deleteExtra(Draft draft, Resource of, Resource.Ref extra, Instant now) {
    String id = Sweep.idOf(of.id(), extra, now);
    Resource record =
        new Resource(
            id,
            of.project(),
            "",
            of.backend(),
            of.type(),
            Resource.State.PRESENT,
            extra,
            null,
            null);
    draft.event(
        "resource.extra", record, Event.SERVER, Map.of("backend", BackendKey.name(of.backend())));
    giveBack(draft, record, now);
  }

  private static void failed(
      Draft draft, Action action, Resource resource, ActionOutcome.Failed failed, Instant now) {
    if (action.type() != Action.Type.CREATE) {
      // What takes something back, or looks for it, is tried for ever.
      draft.put(ActionReports.later(action, failed, now));
      if (action.type() == Action.Type.DELETE && action.attempts() + 1 == STUCK_AFTER) {
        tellThatItDoesNotGo(draft, resource);
      }
      return;
    }
    if (failed.lookAfter() != null) {
      Doubts.begin(draft, action, resource, failed.lookAfter(), now);
      return;
    }
    boolean wanted = Owners.want(draft, resource);
    if (wanted && ActionReports.isToldToWait(failed, action, now)) {
      draft.put(action.parked(now.plus(Objects.requireNonNull(failed.delay()))));
      return;
    }
    if (failed.transientFailure()
        && (!wanted || ActionReports.isWorthAnotherTry(action, failed, now))) {
      // Also where nobody wants it any more: only the answer tells whether there is something.
      draft.put(ActionReports.later(action, failed, now));
      return;
    }
    if (failed.transientFailure()) {
      // Nobody knows, so it is asked for until it is known, and then given back.
      draft.put(ActionReports.later(action, failed, now));
      Owners.refused(draft, resource, failed, now);
      return;
    }
    // Where a provider refuses, it made nothing.
    draft.put(action.in(Action.State.FAILED));
    gone(draft, resource);
    Owners.refused(draft, resource, failed, now);
    Owners.gone(draft, resource, now);
  }

  /** Asks the provider to take something away, as soon as it is known what that is. */
  static void giveBack(Draft draft, Resource resource, Instant now) {
    Action before = underWay(draft, resource);
    switch (resource.phase()) {
      case INTENDED, GONE -> gone(draft, resource);
      case ASKED, IN_DOUBT -> {
        // The report of what is under way decides: what is there then is deleted.
        if (before == null) {
          gone(draft, resource);
        }
      }
      case LEAVING -> {}
      case PRESENT -> delete(draft, resource, 1, now);
    }
  }

  /** Deletes what nobody knows. */
  static void sweep(Draft draft, Resource stranger, Instant now) {
    if (stranger.type() == Resource.Type.JOB) {
      // Until a look shows that it is gone.
      draft.put(stranger.in(Resource.State.LEAVING, null));
      remove(draft, stranger, now);
      return;
    }
    delete(draft, stranger, 1, now);
  }

  /** Ends all jobs that carry the key of a record, whatever has become of its attempt. */
  static void kill(Draft draft, Resource record, Instant now) {
    String id = record.actionId("kill");
    draft.put(record.in(Resource.State.LEAVING, id));
    draft.put(Action.now(id, Action.Type.KILL_JOB, record, now.plus(DEADLINE)));
  }

  /** Removes a job that nobody knows, unless that is under way. */
  private static void remove(Draft draft, Resource stranger, Instant now) {
    String key = stranger.id().substring(0, stranger.id().indexOf('~'));
    if (!draft.actionsOn(key).isEmpty()) {
      return;
    }
    draft.put(
        new Action(
            key + "-swept-" + Long.toString(now.toEpochMilli(), 36),
            Action.Type.REMOVE_JOB,
            key,
            stranger.backend(),
            Resource.Type.JOB,
            null,
            null,
            null,
            null,
            Action.State.IN_FLIGHT,
            1,
            null,
            now.plus(DEADLINE),
            stranger.machineId()));
  }

  private static void delete(Draft draft, Resource resource, int attempts, Instant now) {
    String id = resource.actionId("delete");
    Action delete = Action.now(id, Action.Type.DELETE, resource, now.plus(DEADLINE));
    draft.put(resource.in(Resource.State.LEAVING, id));
    draft.put(
        new Action(
            id,
            delete.type(),
            delete.resourceId(),
            delete.backend(),
            delete.of(),
            null,
            null,
            delete.ref(),
            null,
            delete.state(),
            attempts,
            null,
            delete.deadline(),
            delete.machineId()));
    if (attempts == STUCK_AFTER) {
      tellThatItDoesNotGo(draft, resource);
    }
  }

  private static void tellThatItDoesNotGo(Draft draft, Resource resource) {
    draft.event(
        "resource.does_not_go",
        resource,
        Event.SERVER,
        Map.of("backend", BackendKey.name(resource.backend()), "deletes", STUCK_AFTER));
  }

  /** A provider shows what it has of a resource. */
  static void sighted(Draft draft, Resource resource, Sight sight, Instant now) {
    boolean shown =
        resource.phase() == Resource.State.PRESENT || resource.phase() == Resource.State.LEAVING;
    if (!shown || resource.type() == Resource.Type.JOB) {
      return;
    }
    if (sight.state() == Sight.State.ABSENT) {
      gone(draft, resource);
      Owners.gone(draft, resource, now);
    } else if (resource.phase() == Resource.State.PRESENT) {
      Owners.sighted(draft, resource, sight, now);
    }
  }

  /** What was to go is still there: it is deleted once more. */
  static void overdue(Draft draft, Resource resource, Instant now) {
    if (resource.type() == Resource.Type.JOB) {
      AttemptLife.overdue(draft, resource, now);
    } else if (resource.phase() == Resource.State.LEAVING && resource.actionId() == null) {
      Resource again = resource.repeated();
      delete(draft, again, again.repeats() + 1, now);
    }
  }

  /** Nothing of it is left. */
  static void gone(Draft draft, Resource resource) {
    Action before = underWay(draft, resource);
    if (before != null && before.state() == Action.State.PENDING) {
      draft.put(before.in(Action.State.REVOKED));
    }
    if (resource.ownerId().isEmpty()) {
      // It is nobody's, so it is forgotten: a late look may show it once more under the same id.
      draft.delete(resource);
      return;
    }
    draft.put(resource.in(Resource.State.GONE, null));
  }
}
