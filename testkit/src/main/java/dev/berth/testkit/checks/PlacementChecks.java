package dev.berth.testkit.checks;

import dev.berth.model.Place;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.PlacementGroups;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Trait;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;

/** Machines near each other. */
final class PlacementChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "placement-group-is-made-and-deleted",
                  "A placement group becomes READY, and goes when it is deleted.",
                  PlacementChecks::made)
              .using(Trait.PLACEMENT_GROUPS),
          check(
                  "placement-group-suits-its-place",
                  "suits() says yes to the place that the group was made for, and no to another"
                      + " region.",
                  PlacementChecks::suits)
              .using(Trait.PLACEMENT_GROUPS),
          check(
                  "placement-group-in-use-stays",
                  "To delete a placement group with machines in it is Transient until they are"
                      + " gone.",
                  PlacementChecks::inUse)
              .needing(Part.MACHINES)
              .using(Trait.PLACEMENT_GROUPS),
          check(
                  "placement-groups-refused",
                  "Without PLACEMENT_GROUPS there is no placementGroups(), and to make one is"
                      + " refused.",
                  PlacementChecks::refused)
              .refusing(Trait.PLACEMENT_GROUPS));

  private PlacementChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.PLACEMENT, name, sentence, body);
  }

  private static PlacementGroups groups(Trial trial) {
    return trial.behaviour(
        trial.compute().placementGroups(), Trait.PLACEMENT_GROUPS, "placementGroups()");
  }

  private static ResourceRef group(Trial trial) {
    Found made = trial.things().create(trial.things().placementGroup(trial.key()));
    return trial.things().awaitReady(made.ref()).ref();
  }

  private static void made(Trial trial) {
    groups(trial);
    ResourceRef group = group(trial);
    trial.things().provisioner().delete(group);
    trial.things().awaitGone(group);
  }

  private static void suits(Trial trial) {
    PlacementGroups groups = groups(trial);
    ResourceRef group = group(trial);
    Place place = trial.place();
    Expect.that(
        groups.suits(group, place), "suits() says no to the place that the group was made for");
    Place elsewhere =
        new Place(
            "kit-no-such-region",
            null,
            place.instanceType(),
            false,
            place.price(),
            place.providerData(),
            null,
            null);
    Expect.that(!groups.suits(group, elsewhere), "suits() says yes to a place in another region");
    Expect.same(
        groups.allowReservations(), groups.allowReservations(), "allowReservations(), asked twice");
  }

  private static void inUse(Trial trial) {
    groups(trial);
    ResourceRef group = group(trial);
    ResourceRef machine =
        trial
            .things()
            .create(
                trial.things().machine(trial.key(), trial.place(), List.of(), group, trial.owner()))
            .ref();
    trial.things().awaitReady(machine);
    Expect.thrown(
        () -> trial.things().provisioner().delete(group),
        "delete() of a placement group with a machine in it",
        BackendException.Transient.class);
    Expect.that(
        trial.things().provisioner().describe(group).isPresent(),
        "a placement group that is in use went away");
    trial.things().provisioner().delete(machine);
    trial.things().awaitGone(machine);
    trial.things().deletePatiently(group);
    trial.things().awaitGone(group);
  }

  private static void refused(Trial trial) {
    trial.noBehaviour(
        trial.compute().placementGroups(), Trait.PLACEMENT_GROUPS, "placementGroups()");
    if (trial.compute().provisioner().isPresent()) {
      Refusals.ofThing(
          trial,
          trial.things().placementGroup(trial.key()),
          "a placement group",
          Trait.PLACEMENT_GROUPS);
    }
  }
}
