package dev.berth.decisions;

import dev.berth.model.Accelerator;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.BackendKey;
import dev.berth.model.Endpoint;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.MachineFacts;
import dev.berth.model.MachineRequest;
import dev.berth.model.Placement;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From the order for a machine until it is given back. */
final class InstanceLife {
  /** How often an idle machine that is kept is looked at, at most. */
  private static final Duration SHORTEST_LOOK = Duration.ofMinutes(1);

  private InstanceLife() {}

  /** Writes a machine down, and asks the provider for it unless it has to wait for its group. */
  static void order(Draft draft, Instance instance, MachineRequest request, Instant now) {
    Purchase purchase = instance.bought().orElseThrow();
    draft.put(instance);
    ResourceLife.intend(draft, instance, request, now);
    PlacementGroupLife.proceed(draft, instance, now);
    draft.event(
        "instance.ordered",
        instance,
        Event.SERVER,
        Map.of(
            "name",
            instance.name(),
            "backend",
            BackendKey.name(instance.backend()),
            "offer",
            purchase.place().key(BackendKey.name(instance.backend())),
            "price",
            instance.price()));
  }

  /** Whether a machine was bought for an attempt, and not found. */
  static boolean isMadeFor(Instance instance, Attempt attempt) {
    return instance.id().equals(idFor(attempt));
  }

  /** The key of the machine that is bought for an attempt. */
  static String idFor(Attempt attempt) {
    return idFor(attempt.id());
  }

  static String idFor(String attemptId) {
    return attemptId + "-m";
  }

  /** Whether what a resource is for is still asked for. */
  static boolean isWanted(Draft draft, Resource resource) {
    return draft
        .find(Instance.class, resource.ownerId())
        .filter(Instance::active)
        .filter(instance -> instance.status() != Instance.Status.TERMINATING)
        .isPresent();
  }

  /** The provider has accepted the order. */
  static void made(Draft draft, String instanceId) {
    draft
        .find(Instance.class, instanceId)
        .filter(instance -> instance.status() == Instance.Status.PENDING)
        .ifPresent(instance -> draft.put(instance.provisioning()));
  }

  /** What the provider shows of a machine that we want. */
  static void observed(
      Draft draft, String instanceId, ResourceObservation observation, Instant now) {
    Instance instance =
        draft.find(Instance.class, instanceId).filter(Instance::active).orElse(null);
    if (instance == null || instance.status() == Instance.Status.TERMINATING) {
      return;
    }
    switch (observation.state()) {
      case READY -> {
        if (instance.isEquippedByUs()) {
          booted(draft, instance, observation);
        } else if (!instance.status().isReady()) {
          ready(draft, instance.at(observation.endpoint()), now);
        }
        Instant taken = observation.interruptedAt();
        if (taken != null) {
          draft
              .find(Instance.class, instanceId)
              .ifPresent(current -> Interruptions.noticed(draft, current, taken, now));
        }
      }
      case FAILED, OFF ->
          leave(draft, instance, InstanceReason.ERROR, said(observation, "it does not work"), now);
      case LEAVING ->
          leave(
              draft,
              instance,
              InstanceReason.INTERRUPTED,
              said(observation, "it was deleted"),
              now);
      case CREATING, REFUSED, ABSENT -> {}
    }
  }

  private static String said(ResourceObservation observation, String otherwise) {
    return observation.detail().isEmpty() ? otherwise : observation.detail();
  }

  /** The provider has started it; Berth has to connect to it before it takes jobs. */
  private static void booted(Draft draft, Instance instance, ResourceObservation observation) {
    Endpoint endpoint = observation.endpoint();
    if (endpoint == null || endpoint.equals(endpoint(instance))) {
      return;
    }
    Instance booted = instance.at(endpoint);
    draft.put(booted);
    draft.event("instance.booted", booted, Event.SERVER, Map.of("name", booted.name()));
  }

  /** Berth has connected to a machine and can run jobs there. */
  static void equipped(Draft draft, String instanceId, MachineFacts facts, Instant now) {
    Instance instance = waitingToBeEquipped(draft, instanceId);
    if (instance == null) {
      return;
    }
    int offered = instance.gpus().size();
    List<Accelerator> found = facts.gpus();
    if (found != null && found.size() < offered) {
      String message = "the machine has %d of %d accelerators".formatted(found.size(), offered);
      leave(draft, instance, InstanceReason.ERROR, message, now);
      return;
    }
    ready(draft, instance.equipped(facts), now);
  }

  /** Berth could not connect to a machine, or it lacks something that jobs need. */
  static void notEquipped(
      Draft draft, String instanceId, String message, boolean permanent, Instant now) {
    Instance instance = waitingToBeEquipped(draft, instanceId);
    if (instance == null) {
      return;
    }
    if (permanent) {
      leave(draft, instance, InstanceReason.ERROR, message, now);
      return;
    }
    boolean isNews = !message.equals(instance.bought().map(Purchase::message).orElse(null));
    if (isNews) {
      Instance waiting = instance.saying(message);
      draft.put(waiting);
      draft.event(
          "instance.not_ready",
          waiting,
          Event.SERVER,
          Map.of("name", waiting.name(), "message", message));
    }
  }

  private static @Nullable Instance waitingToBeEquipped(Draft draft, String instanceId) {
    return draft
        .find(Instance.class, instanceId)
        .filter(Instance::active)
        .filter(Instance::isEquippedByUs)
        .filter(instance -> instance.status() != Instance.Status.TERMINATING)
        .filter(instance -> !instance.status().isReady())
        .orElse(null);
  }

  private static void ready(Draft draft, Instance instance, Instant now) {
    Instance ready = instance.ready(endpoint(instance), now);
    draft.put(ready);
    draft.event("instance.ready", ready, Event.SERVER, Map.of("name", ready.name()));
    ready.bought().ifPresent(purchase -> FleetLife.ready(draft, purchase.fleetId()));
    for (Placement placement : placementsOn(draft, ready)) {
      Starts.proceed(draft, placement, now);
    }
  }

  private static List<Placement> placementsOn(Draft draft, Instance instance) {
    return instance.allocations().keySet().stream()
        .flatMap(id -> draft.find(Attempt.class, id).stream())
        .map(Attempt::placementId)
        .distinct()
        .flatMap(id -> draft.find(Placement.class, id).stream())
        .toList();
  }

  /** The provider will not make it: whoever it is for tries something else. */
  static void refuse(Draft draft, String instanceId, ActionOutcome.Failed failed, Instant now) {
    Instance instance =
        draft.find(Instance.class, instanceId).filter(Instance::active).orElse(null);
    if (instance == null || instance.status() == Instance.Status.TERMINATING) {
      return;
    }
    InstanceReason reason = failed.noCapacity() ? InstanceReason.NO_OFFERS : InstanceReason.ERROR;
    leave(draft, instance, reason, failed.message(), now);
  }

  /**
   * Gives a machine back. Whoever waits for it looks for another place; whoever runs there ends.
   */
  static void leave(
      Draft draft,
      Instance instance,
      InstanceReason reason,
      @Nullable String message,
      Instant now) {
    if (instance.status() == Instance.Status.TERMINATING || !instance.active()) {
      return;
    }
    String offer = PlacementGroupLife.failed(draft, instance);
    boolean waited = PlacementGroupLife.isWaiting(draft, instance);
    if (!instance.status().isReady() && isFaultOfOffer(reason)) {
      FleetLife.couldNotHave(draft, instance, offer);
    }
    Instance leaving = instance.leaving(reason, message);
    draft.put(leaving);
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("name", instance.name());
    told.put("reason", reason.word());
    if (message != null) {
      told.put("message", message);
    }
    draft.event("instance.leaving", leaving, Event.SERVER, told);
    draft
        .find(Resource.class, instance.id())
        .filter(Resource::active)
        .ifPresent(resource -> ResourceLife.giveBack(draft, resource, now));
    String said = message == null ? reason.sentence() : message;
    for (String attemptId : instance.allocations().keySet()) {
      draft
          .find(Attempt.class, attemptId)
          .filter(Attempt::active)
          .ifPresent(attempt -> lose(draft, leaving, attempt, reason, said, offer, now));
    }
    if (waited) {
      // Nobody was asked for it, so there is nothing to wait for.
      gone(draft, instance.id(), now);
    }
  }

  private static boolean isFaultOfOffer(InstanceReason reason) {
    return switch (reason) {
      case NO_OFFERS, ERROR, PROVISIONING_TIMEOUT, INTERRUPTED, UNREACHABLE -> true;
      case IDLE_TIMEOUT,
          JOB_FINISHED,
          FLEET_SPEC_MISMATCH,
          MAX_INSTANCES_LIMIT,
          MASTER_FAILED,
          NOT_NEEDED,
          TERMINATED_BY_USER ->
          false;
    };
  }

  /** What the loss of its machine means for an attempt; it ends when the machine is gone. */
  private static void lose(
      Draft draft,
      Instance instance,
      Attempt attempt,
      InstanceReason reason,
      String message,
      String offer,
      Instant now) {
    if (attempt.status() == JobStatus.TERMINATING) {
      return;
    }
    boolean started = draft.find(Resource.class, attempt.id()).isPresent();
    Placement placement = draft.find(Placement.class, attempt.placementId()).orElseThrow();
    if (started || placement.phase() != Placement.State.CREATING) {
      AttemptLife.ending(draft, attempt.because(message), whenLost(instance, reason));
      return;
    }
    AttemptLife.ending(
        draft, attempt.because(message), JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY);
    ReplicaLife.nextOffer(draft, placement, offer, message, now);
  }

  private static JobReason whenLost(Instance instance, InstanceReason reason) {
    if (reason == InstanceReason.TERMINATED_BY_USER) {
      return JobReason.TERMINATED_BY_USER;
    }
    boolean spot = instance.bought().map(purchase -> purchase.place().spot()).orElse(false);
    return spot || reason == InstanceReason.INTERRUPTED
        ? JobReason.INTERRUPTED_BY_NO_CAPACITY
        : JobReason.INSTANCE_UNREACHABLE;
  }

  /** Nothing of a machine is left at the provider, whether we asked for that or not. */
  static void gone(Draft draft, String instanceId, Instant now) {
    Instance instance =
        draft.find(Instance.class, instanceId).filter(Instance::active).orElse(null);
    if (instance == null) {
      return;
    }
    if (instance.status() != Instance.Status.TERMINATING) {
      leave(draft, instance, InstanceReason.INTERRUPTED, "the provider took it back", now);
      instance = draft.find(Instance.class, instanceId).orElseThrow();
    }
    List<String> users = new ArrayList<>(instance.allocations().keySet());
    draft.put(instance.gone());
    draft.event("instance.gone", instance, Event.SERVER, Map.of("name", instance.name()));
    for (String attemptId : users) {
      draft
          .find(Attempt.class, attemptId)
          .filter(Attempt::active)
          .ifPresent(attempt -> endWithMachine(draft, attempt, now));
    }
    PlacementGroupLife.left(draft, instance, now);
    instance.bought().ifPresent(purchase -> FleetLife.lost(draft, purchase.fleetId(), now));
  }

  private static void endWithMachine(Draft draft, Attempt attempt, Instant now) {
    JobReason reason = attempt.reason() == null ? JobReason.INSTANCE_UNREACHABLE : attempt.reason();
    AttemptLife.end(draft, attempt, reason, attempt.message(), null, now);
  }

  /** An attempt does not need its share any more. */
  static void release(Draft draft, Instance instance, Attempt attempt, Instant now) {
    Instance released = instance.release(attempt.id(), now);
    draft.put(released);
    if (released.purchase() == null || !released.allocations().isEmpty()) {
      return;
    }
    if (!released.status().isReady() && released.status() != Instance.Status.TERMINATING) {
      // It was bought for somebody who did not wait for it.
      leave(draft, released, InstanceReason.NOT_NEEDED, null, now);
    } else if (released.purchase().reason() != null) {
      leave(draft, released, released.purchase().reason(), released.purchase().message(), now);
    } else if (released.status() == Instance.Status.IDLE) {
      FleetLife.freed(draft, released, now);
    }
  }

  /** A machine's time has come: it is not ready, or nobody uses it. */
  static void overdue(Draft draft, Instance instance, Instant now) {
    Instant due = instance.due();
    if (due == null || due.isAfter(now)) {
      return;
    }
    if (instance.status() == Instance.Status.IDLE) {
      if (FleetLife.canDo(draft, instance)) {
        leave(draft, instance, InstanceReason.IDLE_TIMEOUT, null, now);
      } else {
        // It is one of those that its fleet keeps; after as long again it is looked at once more.
        Duration kept = instance.bought().map(Purchase::idleDuration).orElse(SHORTEST_LOOK);
        Duration more = SHORTEST_LOOK.minus(kept);
        draft.put(instance.ready(endpoint(instance), more.isNegative() ? now : now.plus(more)));
      }
      return;
    }
    String message = instance.bought().map(Purchase::message).orElse(null);
    leave(draft, instance, InstanceReason.PROVISIONING_TIMEOUT, message, now);
  }

  private static @Nullable Endpoint endpoint(Instance instance) {
    return instance.bought().map(Purchase::endpoint).orElse(null);
  }
}
