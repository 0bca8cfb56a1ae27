package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.BackendKey;
import dev.berth.model.Instance;
import dev.berth.model.MachineRequest;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceRequest;
import dev.berth.model.ResourceType;
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

  /** Intends a machine; what it is asked for is pinned, and nobody is asked for it yet. */
  static void intend(Draft draft, Instance instance, MachineRequest request, Instant now) {
    Resource resource =
        new Resource(
            instance.id(),
            instance.project(),
            instance.id(),
            instance.backend(),
            ResourceType.INSTANCE,
            Resource.State.INTENDED,
            null,
            null,
            null);
    Action create = create(resource, request, now).held();
    draft.put(resource.in(Resource.State.INTENDED, create.id()));
    draft.put(create);
  }

  /** Asks for what is intended. */
  static void ask(Draft draft, Resource resource, ResourceRequest request, Instant now) {
    Action create = create(resource, request, now);
    draft.put(resource.in(Resource.State.ASKED, create.id()));
    draft.put(create);
  }

  private static Action create(Resource resource, ResourceRequest request, Instant now) {
    return Action.now(
        resource.actionId("create"), new Operation.Create(request), resource, now.plus(DEADLINE));
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
        present(draft, resource, created.ref(), now, now);
      }
      case ActionOutcome.Looked looked -> looked(draft, action, resource, looked, now);
      case ActionOutcome.Done _ -> {
        draft.put(action.in(Action.State.DONE));
        if (action.operation() instanceof Operation.Delete) {
          // Accepted is not gone: what the provider shows decides, and until then it is told again.
          draft.put(
              resource
                  .in(Resource.State.LEAVING, null)
                  .madeBy(resource.since())
                  .dueAt(now.plus(pause(action))));
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

  private static void present(
      Draft draft, Resource resource, Resource.Ref ref, Instant madeBy, Instant now) {
    Resource there = resource.in(Resource.State.PRESENT, null).named(ref).madeBy(madeBy);
    draft.put(there);
    if (!ResourceOwner.of(resource).wants(draft, resource)) {
      giveBack(draft, there, now);
    } else {
      ResourceOwner.of(resource).made(draft, resource);
    }
  }

  private static void looked(
      Draft draft, Action action, Resource resource, ActionOutcome.Looked looked, Instant now) {
    if (looked.found().isEmpty()) {
      if (!InDoubt.foundNothing(draft, action, resource, looked.pause(), now)) {
        return;
      }
      if (ResourceOwner.of(resource).wants(draft, resource)) {
        ask(draft, resource, action.request().orElseThrow(), now);
      } else {
        gone(draft, resource);
        ResourceOwner.of(resource).gone(draft, resource, now);
      }
      return;
    }
    draft.put(action.in(Action.State.DONE));
    List<Resource.Ref> extras = looked.found().subList(1, looked.found().size());
    extras.forEach(extra -> deleteExtra(draft, resource, extra, now));
    present(draft, resource, looked.found().getFirst(), madeBy(resource, now), now);
  }

  /** When what was found after a doubt had been made at the latest. */
  private static Instant madeBy(Resource doubtful, Instant now) {
    Instant since = doubtful.since();
    Instant ended = since == null ? now : since.plus(AttemptLife.LATE_FOR);
    return ended.isBefore(now) ? ended : now;
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
                null)
            .madeBy(now);
    draft.event(
        "resource.extra", record, Event.SERVER, Map.of("backend", BackendKey.name(of.backend())));
    giveBack(draft, record, now);
  }

  private static void failed(
      Draft draft, Action action, Resource resource, ActionOutcome.Failed failed, Instant now) {
    if (!(action.operation() instanceof Operation.Create)) {
      // What takes something back, or looks for it, is tried for ever.
      draft.put(ActionReports.later(action, failed, now));
      if (action.operation() instanceof Operation.Delete) {
        tellIfItDoesNotGo(draft, resource, action.attempts() + 1);
      }
      return;
    }
    if (failed.lookAfter() != null) {
      InDoubt.begin(draft, action, resource, failed.lookAfter(), now);
      return;
    }
    boolean wanted = ResourceOwner.of(resource).wants(draft, resource);
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
      ResourceOwner.of(resource).refused(draft, resource, failed, now);
      return;
    }
    // Where a provider refuses, it made nothing.
    draft.put(action.in(Action.State.FAILED));
    gone(draft, resource);
    ResourceOwner.of(resource).refused(draft, resource, failed, now);
    ResourceOwner.of(resource).gone(draft, resource, now);
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

  /** Gives the place of an ended job back, as soon as nothing else is under way for the job. */
  static void release(Draft draft, Resource resource, Instant now) {
    Action before = underWay(draft, resource);
    if (before != null && before.state() == Action.State.IN_FLIGHT) {
      // Its report continues.
      draft.put(resource.in(Resource.State.LEAVING, before.id()));
      return;
    }
    if (before != null) {
      draft.put(before.in(Action.State.REVOKED));
    }
    end(draft, resource, new Operation.ReleaseJob(), now);
  }

  /** Deletes what nobody knows. */
  static void sweep(Draft draft, Resource stranger, Instant now) {
    if (stranger.type() == ResourceType.JOB) {
      // Until a look shows that it is gone.
      draft.put(stranger.in(Resource.State.LEAVING, null));
      remove(draft, stranger, now);
      return;
    }
    delete(draft, stranger, 1, now);
  }

  /** Ends all jobs that carry the key of a record, whatever has become of its attempt. */
  static void end(Draft draft, Resource record, Operation.OnJob end, Instant now) {
    String id = record.actionId(end instanceof Operation.ReleaseJob ? "release" : "kill");
    draft.put(record.in(Resource.State.LEAVING, id));
    draft.put(Action.now(id, end, record, now.plus(DEADLINE)));
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
            new Operation.RemoveJob(),
            key,
            stranger.backend(),
            Action.State.IN_FLIGHT,
            1,
            null,
            now.plus(DEADLINE),
            stranger.machineId()));
  }

  private static void delete(Draft draft, Resource resource, int attempts, Instant now) {
    String id = resource.actionId("delete");
    Resource.Ref ref = Objects.requireNonNull(resource.ref(), "what is deleted was named");
    Operation delete = new Operation.Delete(resource.type(), ref);
    draft.put(resource.in(Resource.State.LEAVING, id).madeBy(resource.since()));
    draft.put(Action.now(id, delete, resource, now.plus(DEADLINE)).counting(attempts));
    tellIfItDoesNotGo(draft, resource, attempts);
  }

  /** Tells people once that something does not go, however often it is asked to. */
  static void tellIfItDoesNotGo(Draft draft, Resource resource, int tries) {
    if (tries == STUCK_AFTER) {
      draft.event(
          "resource.does_not_go",
          resource,
          Event.SERVER,
          Map.of("backend", BackendKey.name(resource.backend()), "deletes", STUCK_AFTER));
    }
  }

  /** A provider shows what it has of a resource. */
  static void observed(
      Draft draft, Resource resource, ResourceObservation observation, Instant now) {
    boolean shown =
        resource.phase() == Resource.State.PRESENT || resource.phase() == Resource.State.LEAVING;
    if (!shown || resource.type() == ResourceType.JOB) {
      return;
    }
    switch (observation.state()) {
      case ABSENT -> {
        gone(draft, resource);
        ResourceOwner.of(resource).gone(draft, resource, now);
      }
      case REFUSED -> refused(draft, resource, observation, now);
      case CREATING, READY, LEAVING, FAILED, OFF -> {
        if (resource.phase() == Resource.State.PRESENT) {
          ResourceOwner.of(resource).observed(draft, resource, observation, now);
        }
      }
    }
  }

  /**
   * The provider refused it after it had accepted the request. Nothing is there, so nothing is
   * deleted, and whoever wanted it tries the next offer, as where the request itself was refused.
   */
  private static void refused(
      Draft draft, Resource resource, ResourceObservation observation, Instant now) {
    boolean wanted = resource.phase() == Resource.State.PRESENT;
    gone(draft, resource);
    if (wanted) {
      String said = observation.detail();
      String message =
          said.isEmpty() ? Objects.requireNonNull(observation.refusal()).sentence() : said;
      ResourceOwner.of(resource)
          .refused(draft, resource, ActionOutcome.Failed.soldOut(message), now);
    }
    ResourceOwner.of(resource).gone(draft, resource, now);
  }

  /** What was to go is still there: it is deleted once more. */
  static void overdue(Draft draft, Resource resource, Instant now) {
    if (resource.type() == ResourceType.JOB) {
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
