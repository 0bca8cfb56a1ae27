package dev.berth.decisions;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.BackendKey;
import dev.berth.model.Boot;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.MachineRequest;
import dev.berth.model.Place;
import dev.berth.model.PlacementGroupRequest;
import dev.berth.model.Purchase;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The placement groups of clusters, one for each area: made before the first machine there is asked
 * for, and deleted when the last one is gone. Until a group is ready, its machines are intended and
 * nobody is asked for them.
 */
final class PlacementGroupLife {
  private PlacementGroupLife() {}

  /** Where machines are near each other; with placement groups that is one zone. */
  static String area(String backend, Place place, boolean grouped) {
    return grouped ? place.groupArea(backend) : backend + "/" + place.region();
  }

  /** The area of a machine. */
  static String areaOf(Instance machine) {
    Purchase purchase = machine.bought().orElseThrow();
    return area(machine.backend(), purchase.place(), purchase.placementGroup() != null);
  }

  /** Whether what is in one area is near what is in another, which may be a part of it. */
  static boolean isNear(String area, String other) {
    return other.equals(area) || other.startsWith(area + "/");
  }

  /**
   * The key of the group that a new machine of a fleet has to be in, which is made where there is
   * none; null where none is needed or can be had.
   *
   * @param number the machine's in its fleet, so that no two groups have one key
   */
  static @Nullable String join(
      Draft draft, Fleet fleet, OfferSelection.Choice choice, int number, Instant now) {
    if (!fleet.spec().cluster() || !choice.isGrouped()) {
      return null;
    }
    return FleetLife.standing(draft, fleet).stream()
        .filter(machine -> areaOf(machine).equals(choice.area()))
        .flatMap(machine -> groupOf(draft, machine).stream())
        .filter(group -> group.phase() != Resource.State.LEAVING)
        .map(Resource::id)
        .findFirst()
        .orElseGet(() -> make(draft, fleet, choice, number, now));
  }

  private static String make(
      Draft draft, Fleet fleet, OfferSelection.Choice choice, int number, Instant now) {
    String word = "-g" + number;
    Resource group =
        new Resource(
            fleet.id() + word,
            fleet.project(),
            fleet.id(),
            choice.candidate().backend(),
            ResourceType.PLACEMENT_GROUP,
            Resource.State.INTENDED,
            null,
            null,
            null);
    String name = fleet.name() + word;
    PlacementGroupRequest request =
        new PlacementGroupRequest(
            choice.place(), name, ResourceLabels.of(fleet), draft.nextEvent());
    ResourceLife.ask(draft, group, request, now);
    draft.event(
        "placement_group.ordered",
        group,
        Event.SERVER,
        Map.of(
            "name",
            name,
            "backend",
            BackendKey.name(group.backend()),
            "area",
            area(BackendKey.name(group.backend()), choice.place(), choice.isGrouped())));
    return group.id();
  }

  /** The group of a machine, as long as something of it may be there. */
  private static Optional<Resource> groupOf(Draft draft, Instance machine) {
    return machine
        .bought()
        .map(Purchase::placementGroup)
        .flatMap(id -> draft.find(Resource.class, id))
        .filter(Resource::active);
  }

  /** The machines in a group that are not gone. */
  private static List<Instance> members(Draft draft, Resource group) {
    return draft.children(Instance.class, group.ownerId()).stream()
        .filter(
            machine ->
                machine
                    .bought()
                    .filter(purchase -> group.id().equals(purchase.placementGroup()))
                    .isPresent())
        .toList();
  }

  /** Those that nobody is asked for yet. */
  private static List<Instance> waiting(Draft draft, Resource group) {
    return members(draft, group).stream().filter(machine -> isWaiting(draft, machine)).toList();
  }

  /** Whether a machine waits for its group. */
  static boolean isWaiting(Draft draft, Instance machine) {
    return draft
        .find(Resource.class, machine.id())
        .filter(resource -> resource.phase() == Resource.State.INTENDED)
        .isPresent();
  }

  /** Asks for a machine that is intended, as soon as its group is ready. */
  static void proceed(Draft draft, Instance machine, Instant now) {
    Resource group = groupOf(draft, machine).orElse(null);
    // The first ones are asked for when the group is seen to be ready, so it was if there are any.
    boolean ready =
        group == null
            || (group.phase() == Resource.State.PRESENT
                && members(draft, group).stream().anyMatch(other -> !isWaiting(draft, other)));
    if (ready) {
      ask(draft, machine, group, now);
    }
  }

  private static void ask(Draft draft, Instance machine, @Nullable Resource group, Instant now) {
    Resource resource = draft.find(Resource.class, machine.id()).orElseThrow();
    MachineRequest request =
        Optional.ofNullable(ResourceLife.underWay(draft, resource))
            .flatMap(Action::machine)
            .orElseGet(() -> requestOfBefore(draft, machine));
    Resource.Ref ref = group == null ? null : group.ref();
    ResourceLife.ask(
        draft,
        resource,
        group == null || ref == null
            ? request
            : request.in(new MachineRequest.Group(group.id(), ref)),
        now);
  }

  /** What a machine is asked for that was ordered before requests were pinned. */
  private static MachineRequest requestOfBefore(Draft draft, Instance machine) {
    Purchase purchase = machine.bought().orElseThrow();
    Fleet fleet = draft.find(Fleet.class, purchase.fleetId()).orElseThrow();
    return new MachineRequest(
        purchase.place(),
        purchase.offer(),
        machine.name(),
        null,
        ResourceLabels.of(fleet),
        null,
        Boot.NONE,
        draft.nextEvent());
  }

  /** Whether a group has machines, or will have. */
  static boolean isWanted(Draft draft, Resource group) {
    return !members(draft, group).isEmpty();
  }

  /** What the provider shows of a group. */
  static void observed(Draft draft, Resource group, ResourceObservation observation, Instant now) {
    switch (observation.state()) {
      case READY -> waiting(draft, group).forEach(machine -> ask(draft, machine, group, now));
      case FAILED, OFF, LEAVING ->
          refuse(
              draft,
              group,
              InstanceReason.ERROR,
              observation.detail().isEmpty() ? "it does not work" : observation.detail(),
              now);
      case CREATING, REFUSED, ABSENT -> {}
    }
  }

  /** The provider will not make a group: whoever waits for machines there goes elsewhere. */
  static void refuse(Draft draft, Resource group, ActionOutcome.Failed failed, Instant now) {
    InstanceReason reason = failed.noCapacity() ? InstanceReason.NO_OFFERS : InstanceReason.ERROR;
    refuse(draft, group, reason, failed.message(), now);
  }

  private static void refuse(
      Draft draft, Resource group, InstanceReason reason, String message, Instant now) {
    String said = "no placement group could be created for its machines: " + message;
    for (Instance machine : waiting(draft, group)) {
      draft
          .find(Instance.class, machine.id())
          .filter(Instance::active)
          .ifPresent(current -> InstanceLife.leave(draft, current, reason, said, now));
    }
  }

  /** What is not worth another try where a machine cannot be had: its offer, or its whole area. */
  static String failed(Draft draft, Instance machine) {
    return isWaiting(draft, machine)
        ? areaOf(machine)
        : machine.bought().orElseThrow().place().offerKey(machine.backend());
  }

  /** A machine is gone, and its group goes with the last one. */
  static void left(Draft draft, Instance machine, Instant now) {
    groupOf(draft, machine)
        .filter(group -> !isWanted(draft, group))
        .ifPresent(group -> ResourceLife.giveBack(draft, group, now));
  }

  /** Nothing of a group is left at the provider. */
  static void gone(Draft draft, Resource group, Instant now) {
    refuse(draft, group, InstanceReason.ERROR, "the provider no longer has it", now);
    draft.event(
        "placement_group.gone",
        group,
        Event.SERVER,
        Map.of("backend", BackendKey.name(group.backend())));
    FleetLife.close(draft, group.ownerId());
  }
}
