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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Nothing left, nothing to do: the last look at everything that the run made. */
final class LeftoverChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "no-thing-is-left",
                  "When one thing of each kind was made and deleted, list() shows nothing of this"
                      + " run.",
                  LeftoverChecks::things)
              .needing(Part.THINGS),
          check(
                  "no-job-is-left",
                  "When all jobs were removed, list() has none of this run.",
                  LeftoverChecks::jobs)
              .needing(Part.JOBS),
          check(
                  "nothing-to-do",
                  "To delete everything once more is silent, and there is still nothing.",
                  LeftoverChecks::nothingToDo)
              .needing(Part.THINGS));

  private LeftoverChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.LEFTOVERS, name, sentence, body);
  }

  /** Makes one thing of each kind and deletes them again, the last one first. */
  static List<ResourceRef> madeAndDeleted(Trial trial) {
    List<ResourceRef> refs = new ArrayList<>();
    for (CreateRequest request : trial.things().oneOfEach()) {
      ResourceRef ref = trial.things().create(request).ref();
      trial.things().awaitReady(ref);
      refs.addFirst(ref);
    }
    for (ResourceRef ref : refs) {
      trial.things().deletePatiently(ref);
      trial.things().awaitGone(ref);
    }
    trial.releaseShared();
    return refs;
  }

  private static void things(Trial trial) {
    madeAndDeleted(trial);
    awaitNothing(trial);
  }

  private static void awaitNothing(Trial trial) {
    trial.await(
        trial.things().visibleWithin().plus(trial.limits().gone()),
        "list() still shows things of this run: delete() must take away all that was made together"
            + " with a thing (disks, addresses, keys) "
            + trial.cleaningProblems(),
        () ->
            trial.things().provisioner().list(trial.owner()).complete().isEmpty()
                ? Optional.of(true)
                : Optional.empty());
  }

  private static void jobs(Trial trial) {
    String job = trial.jobs().run("echo last");
    trial.jobs().awaitEnd(job);
    trial.jobs().runtime().remove(job);
    trial.await(
        trial.things().visibleWithin().plus(trial.limits().gone()),
        "list() still has jobs of this run, which were all removed " + trial.cleaningProblems(),
        () ->
            trial.jobs().runtime().list(trial.owner()).isEmpty()
                ? Optional.of(true)
                : Optional.empty());
    trial.releaseShared();
  }

  private static void nothingToDo(Trial trial) {
    List<ResourceRef> refs = madeAndDeleted(trial);
    Provisioner provisioner = trial.things().provisioner();
    for (ResourceRef ref : refs) {
      Expect.silent(() -> provisioner.delete(ref), "delete() must be silent for what is gone");
      Expect.that(
          provisioner.describe(ref).isEmpty(),
          "delete() of what is gone brought back a %s".formatted(ref.type().word()));
    }
    List<Found> left = provisioner.list(trial.owner()).found();
    Expect.that(
        left.stream().noneMatch(found -> refs.contains(found.ref())),
        "list() shows things that are gone");
  }
}
