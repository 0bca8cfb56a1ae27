package dev.berth.decisions;

import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.model.offers.OfferMatch;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps fleets at the number of machines that they shall have. */
final class FleetLife {
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30));

  /** After so many failures in a row a fleet waits until it is changed. */
  static final int MOST_TRIALS = 15;

  private FleetLife() {}

  /** Makes a fleet, or changes the one of that name. */
  static Reply apply(Draft draft, Message.ApplyFleet message, Instant now) {
    if (AccessRules.isDeleted(draft, message.project())) {
      return AccessRules.noProject(message.project());
    }
    Fleet known =
        draft.active(Fleet.class).stream()
            .filter(fleet -> !fleet.temporary())
            .filter(fleet -> fleet.project().equals(message.project()))
            .filter(fleet -> fleet.name().equals(message.name()))
            .findFirst()
            .orElse(null);
    if (known != null && known.status() == Fleet.Status.TERMINATING) {
      return new Reply.Refused(
          Reply.Code.NAME_TAKEN,
          "the fleet '" + message.name() + "' is still being deleted; try again later");
    }
    if (known != null) {
      Fleet updated = known.updated(message.written(), message.spec(), now);
      draft.put(updated);
      draft.event("fleet.updated", updated, message.user(), Map.of("name", updated.name()));
      PolicyNotes.tell(draft, updated, message.user(), message.dryRuns());
      recycle(draft, updated, now);
      return new Reply.Accepted(updated.id(), updated.name());
    }
    Fleet fleet =
        new Fleet(
            message.fleetId(),
            message.project(),
            message.user(),
            message.name(),
            message.written(),
            message.spec(),
            Fleet.Status.ACTIVE,
            false,
            0,
            0,
            List.of(),
            null,
            now,
            now);
    draft.put(fleet);
    draft.event("fleet.submitted", fleet, message.user(), Map.of("name", fleet.name()));
    PolicyNotes.tell(draft, fleet, message.user(), message.dryRuns());
    return new Reply.Accepted(fleet.id(), fleet.name());
  }

  /** Gives back what an updated fleet does not ask for any more and nobody uses. */
  private static void recycle(Draft draft, Fleet fleet, Instant now) {
    for (Instance instance : draft.children(Instance.class, fleet.id())) {
      if (!isAskedFor(fleet, instance) && instance.allocations().isEmpty()) {
        InstanceLife.leave(draft, instance, InstanceReason.FLEET_SPEC_MISMATCH, null, now);
      }
    }
  }

  private static boolean isAskedFor(Fleet fleet, Instance instance) {
    Purchase purchase = instance.bought().orElseThrow();
    return fleet.spec().wishes().allow(instance.backend(), purchase.type())
        && fleet.spec().wishes().permit(purchase.offer())
        && OfferMatch.matches(fleet.spec().wishes().filter(), purchase.offer());
  }

  /** A machine has no work any more: it goes where its fleet waited for that. */
  static void freed(Draft draft, Instance instance, Instant now) {
    Fleet fleet = draft.find(Fleet.class, instance.bought().orElseThrow().fleetId()).orElse(null);
    if (fleet == null || fleet.status() != Fleet.Status.ACTIVE) {
      InstanceLife.leave(draft, instance, InstanceReason.TERMINATED_BY_USER, null, now);
    } else if (!fleet.temporary() && !isAskedFor(fleet, instance)) {
      InstanceLife.leave(draft, instance, InstanceReason.FLEET_SPEC_MISMATCH, null, now);
    } else if (!hasRoom(draft, fleet, 0)) {
      InstanceLife.leave(draft, instance, InstanceReason.MAX_INSTANCES_LIMIT, null, now);
    }
  }

  /** One machine of a fleet is ready: where all are, failures are counted anew. */
  static void ready(Draft draft, String fleetId) {
    draft
        .find(Fleet.class, fleetId)
        .filter(fleet -> fleet.status() == Fleet.Status.ACTIVE)
        .filter(fleet -> fleet.trials() > 0 || !fleet.tried().isEmpty())
        .filter(fleet -> !isShort(draft, fleet))
        .filter(fleet -> standing(draft, fleet).stream().allMatch(one -> one.status().isReady()))
        .ifPresent(fleet -> draft.put(fleet.settled()));
  }

  /** Deletes a fleet: machines without work go at once, the others when their work is done. */
  static Reply delete(Draft draft, Message.DeleteFleet message, Instant now) {
    Fleet fleet =
        draft.active(Fleet.class).stream()
            .filter(one -> one.project().equals(message.project()))
            .filter(one -> one.name().equals(message.name()))
            .min(Comparator.comparing(Fleet::temporary))
            .orElse(null);
    if (fleet == null) {
      return new Reply.Refused(Reply.Code.NOT_FOUND, "there is no fleet '" + message.name() + "'");
    }
    // The one of a run that goes on stays, because the run may need it for its next try.
    boolean stays = fleet.temporary() && isRunActive(draft, fleet);
    if (fleet.status() == Fleet.Status.ACTIVE && !stays) {
      draft.put(fleet.in(Fleet.Status.TERMINATING));
      draft.event("fleet.delete_requested", fleet, message.actor(), Map.of("name", fleet.name()));
    }
    for (Instance instance : draft.children(Instance.class, fleet.id())) {
      if (instance.allocations().isEmpty()) {
        InstanceLife.leave(draft, instance, InstanceReason.TERMINATED_BY_USER, null, now);
      }
    }
    close(draft, fleet.id());
    return new Reply.Accepted(fleet.id(), fleet.name());
  }

  /** A machine of a fleet could not be had, and nobody but the fleet has asked for it. */
  static void couldNotHave(Draft draft, Instance instance, String offer) {
    if (!instance.allocations().isEmpty()) {
      return;
    }
    instance
        .bought()
        .flatMap(purchase -> draft.find(Fleet.class, purchase.fleetId()))
        .filter(fleet -> fleet.status() == Fleet.Status.ACTIVE && !fleet.temporary())
        .filter(fleet -> !fleet.tried().contains(offer))
        .ifPresent(fleet -> draft.put(fleet.without(offer)));
  }

  /** One machine of a fleet is gone: the next offer is tried at once, while there is one. */
  static void lost(Draft draft, String fleetId, Instant now) {
    close(draft, fleetId);
    draft
        .find(Fleet.class, fleetId)
        .filter(fleet -> fleet.status() == Fleet.Status.ACTIVE && !fleet.temporary())
        .filter(fleet -> fleet.due() == null && isShort(draft, fleet))
        .map(
            fleet ->
                fleet.tried().isEmpty() || fleet.tried().size() >= ReplicaLife.MOST_OFFERS
                    ? missing(fleet, "a machine is missing", now)
                    : fleet.dueAt(now))
        .ifPresent(draft::put);
  }

  private static Fleet missing(Fleet fleet, String message, Instant now) {
    return fleet.trials() + 1 >= MOST_TRIALS
        ? fleet.failing(message + "; change the fleet to try again", null)
        : fleet.failing(message, now.plus(pause(fleet)));
  }

  /** Ends a fleet that is to go and has nothing left; a temporary one goes with its run. */
  static void close(Draft draft, String fleetId) {
    Fleet fleet = draft.find(Fleet.class, fleetId).filter(Fleet::active).orElse(null);
    if (fleet == null
        || !draft.children(Instance.class, fleetId).isEmpty()
        || !draft.children(Resource.class, fleetId).isEmpty()) {
      // Placement groups go after the last machine, and their fleet after them.
      return;
    }
    boolean unused = fleet.temporary() && !isRunActive(draft, fleet);
    if (unused || fleet.status() == Fleet.Status.TERMINATING) {
      draft.put(fleet.in(Fleet.Status.TERMINATING));
      draft.put(fleet.in(Fleet.Status.TERMINATING).in(Fleet.Status.TERMINATED));
      if (!fleet.temporary()) {
        draft.event("fleet.deleted", fleet, Event.SERVER, Map.of("name", fleet.name()));
      }
    }
  }

  private static boolean isRunActive(Draft draft, Fleet fleet) {
    return fleet
        .madeFor()
        .flatMap(runId -> draft.find(Run.class, runId))
        .filter(Run::active)
        .isPresent();
  }

  /** The fleet that a run's machines belong to where it uses no other. */
  static Fleet temporary(Draft draft, Run run, Fleet.Spec spec, Instant now) {
    return draft
        .find(Fleet.class, Fleet.temporaryId(run.id()))
        .orElseGet(
            () -> {
              Fleet fleet =
                  new Fleet(
                      Fleet.temporaryId(run.id()),
                      run.project(),
                      run.user(),
                      run.name(),
                      Map.of(),
                      spec,
                      Fleet.Status.ACTIVE,
                      true,
                      0,
                      0,
                      List.of(),
                      null,
                      now,
                      null);
              draft.put(fleet);
              return fleet;
            });
  }

  /** Whether a fleet can do without an idle machine. */
  static boolean canDo(Draft draft, Instance instance) {
    String fleetId = instance.bought().orElseThrow().fleetId();
    return draft
        .find(Fleet.class, fleetId)
        .filter(fleet -> fleet.status() == Fleet.Status.ACTIVE)
        .map(fleet -> standing(draft, fleet).size() > fleet.spec().nodes().min())
        .orElse(true);
  }

  /** The machines of a fleet that are not about to go. */
  static List<Instance> standing(Draft draft, Fleet fleet) {
    return draft.children(Instance.class, fleet.id()).stream()
        .filter(instance -> instance.status() != Instance.Status.TERMINATING)
        .toList();
  }

  /** Whether a fleet may have so many machines more. */
  static boolean hasRoom(Draft draft, Fleet fleet, int more) {
    Integer max = fleet.spec().nodes().max();
    return max == null || standing(draft, fleet).size() + more <= max;
  }

  private static boolean isShort(Draft draft, Fleet fleet) {
    return standing(draft, fleet).size() < fleet.spec().nodes().min();
  }

  private static Duration pause(Fleet fleet) {
    return PAUSES.get(Math.min(fleet.trials(), PAUSES.size() - 1));
  }

  /** Brings a fleet to its number; called in the pass, where offers are known. */
  static void reconcile(Draft draft, Fleet fleet, OfferView offers, Instant now) {
    Instant due = fleet.due();
    if (fleet.temporary()
        || fleet.status() != Fleet.Status.ACTIVE
        || due == null
        || due.isAfter(now)) {
      return;
    }
    dropSurplus(draft, fleet, now);
    int missing = wanted(fleet) - standing(draft, fleet).size();
    if (missing <= 0) {
      draft.put(fleet.settled());
      return;
    }
    OfferRequirement requirement = OfferRequirement.of(fleet.spec());
    OfferAnswer answer = offers.offers(requirement);
    draft.lookUp(requirement, Instant.MIN);
    if (!answer.settled()) {
      return;
    }
    Fleet current = fleet;
    for (int i = 0; i < missing; i++) {
      Optional<OfferSelection.Choice> choice =
          OfferSelection.forFleet(offers, answer, current, draft, now);
      if (choice.isEmpty()) {
        if (i == 0 && !answer.isAll(fleet.submittedAt())) {
          // Those are the offers of before, or not all; the rest is asked for.
          draft.lookUp(requirement, fleet.submittedAt());
          return;
        }
        String message =
            answer.candidates().isEmpty()
                ? "no offer matches the fleet's requirements; see all offers with: berth offer"
                : "none of the matching offers had capacity";
        draft.put(missing(current, message, now));
        return;
      }
      current = FleetProvisioning.order(draft, current, choice.get(), null, now);
    }
    draft.put(current.ordered());
  }

  /** The number of machines to start with, and later the least number. */
  private static int wanted(Fleet fleet) {
    return fleet.numbers() == 0
        ? Math.max(fleet.spec().nodes().target(), fleet.spec().nodes().min())
        : fleet.spec().nodes().min();
  }

  private static void dropSurplus(Draft draft, Fleet fleet, Instant now) {
    Integer max = fleet.spec().nodes().max();
    List<Instance> standing = standing(draft, fleet);
    if (max == null) {
      return;
    }
    standing.stream()
        .filter(instance -> instance.status() == Instance.Status.IDLE)
        .sorted(Comparator.comparing(Instance::id).reversed())
        .limit(Math.max(0, standing.size() - max))
        .forEach(
            instance ->
                InstanceLife.leave(draft, instance, InstanceReason.MAX_INSTANCES_LIMIT, null, now));
  }
}
