package dev.berth.testkit.checks;

import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Optional;

/** How things are taken away. */
final class DeleteChecks {
  static final List<Check> ALL =
      List.of(
          check(
              "delete-takes-it-away",
              "After delete() the thing goes, until describe() is empty and list() does not show"
                  + " it.",
              DeleteChecks::takesAway),
          check(
              "delete-twice-is-silent",
              "delete() may be called again while the thing goes, and when it is gone.",
              DeleteChecks::twice),
          check(
              "delete-unknown-is-silent",
              "delete() of what was never there is silent.",
              DeleteChecks::unknown),
          check(
              "delete-while-it-is-made",
              "A thing that is not ready yet can be deleted.",
              DeleteChecks::whileMade),
          check(
              "delete-leaves-others-alone",
              "delete() takes away the one thing that it names.",
              DeleteChecks::leavesOthers));

  private DeleteChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.DELETE, name, sentence, body).needing(Part.THINGS);
  }

  private static void takesAway(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef ref = trial.things().create(request).ref();
    trial.things().awaitReady(ref);
    trial.things().provisioner().delete(ref);
    trial.things().awaitGone(ref);
    trial.await(
        trial.things().visibleWithin().plus(trial.limits().gone()),
        "list() still shows what describe() says is gone",
        () ->
            trial.things().keyed(trial.owner(), request.key()).isEmpty()
                ? Optional.of(true)
                : Optional.empty());
  }

  private static void twice(Trial trial) {
    ResourceRef ref = trial.things().create(trial.things().sample(trial.key())).ref();
    trial.things().awaitReady(ref);
    trial.things().provisioner().delete(ref);
    Expect.silent(
        () -> trial.things().provisioner().delete(ref),
        "delete() must be silent for what is going already");
    trial.things().awaitGone(ref);
    Expect.silent(
        () -> trial.things().provisioner().delete(ref), "delete() must be silent for what is gone");
  }

  private static void unknown(Trial trial) {
    ResourceRef ref = trial.things().unknown();
    Expect.silent(
        () -> trial.things().provisioner().delete(ref),
        "delete() must be silent for what was never there");
  }

  private static void whileMade(Trial trial) {
    ResourceRef ref = trial.things().create(trial.things().sample(trial.key())).ref();
    trial.things().deletePatiently(ref);
    Provisioner provisioner = trial.things().provisioner();
    trial.await(
        trial.limits().gone(),
        "a %s was deleted while it was made, and describe() did not become empty"
            .formatted(ref.type().word()),
        () -> {
          Optional<Found> shown = provisioner.describe(ref);
          Expect.that(
              shown.filter(found -> found.state() == Found.State.READY).isEmpty(),
              "delete() was silent for what was not ready yet, and it became READY: throw"
                  + " Transient while it cannot be deleted");
          shown.ifPresent(_ -> provisioner.delete(ref));
          return shown.isEmpty() ? Optional.of(true) : Optional.empty();
        });
  }

  private static void leavesOthers(Trial trial) {
    ResourceRef first = trial.things().create(trial.things().sample(trial.key())).ref();
    ResourceRef second = trial.things().create(trial.things().sample(trial.key())).ref();
    trial.things().awaitReady(first);
    trial.things().awaitReady(second);
    trial.things().provisioner().delete(first);
    trial.things().awaitGone(first);
    Expect.that(
        trial.things().ready(second).isPresent(),
        "delete() of one thing took away another, which was not named");
  }
}
