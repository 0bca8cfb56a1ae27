package dev.berth.testkit.checks;

import dev.berth.model.Place;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;

/** Several jobs on one machine, one after the other and side by side. */
final class SharingChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "machine-is-used-again",
                  "A machine takes one job after the other.",
                  SharingChecks::again)
              .using(Trait.REUSE),
          check(
                  "reuse-refused",
                  "Without REUSE a job cannot name a machine that is there.",
                  trial ->
                      Refusals.ofJob(
                          trial,
                          trial
                              .jobs()
                              .member("echo never")
                              .at(trial.place().on("kit-some-machine")),
                          "a machine that is there",
                          Trait.REUSE))
              .refusing(Trait.REUSE),
          check(
                  "machine-is-shared-in-blocks",
                  "A machine runs several jobs side by side, each in its share.",
                  SharingChecks::blocks)
              .using(Trait.BLOCKS),
          check(
                  "blocks-refused",
                  "Without BLOCKS a second job on a machine in use is refused.",
                  SharingChecks::noBlocks)
              .refusing(Trait.BLOCKS));

  private SharingChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.CONTAINER, name, sentence, body).needing(Part.JOBS);
  }

  private static void again(Trial trial) {
    for (String word : List.of("first", "second")) {
      String job = trial.jobs().run("echo " + word);
      Expect.same(
          0,
          trial.jobs().awaitEnd(job).code(),
          "the exit code of the %s job on one machine".formatted(word));
    }
  }

  private static void blocks(Trial trial) {
    String first = trial.jobs().run("sleep 3600");
    trial.jobs().awaitRunning(first);
    String second = trial.jobs().run("sleep 3600");
    trial.jobs().awaitRunning(second);
    trial.jobs().awaitRunning(first);
  }

  /** Whoever lets no job name a machine has no blocks either. */
  private static void noBlocks(Trial trial) {
    if (!trial.traits().has(Trait.REUSE)) {
      Place place = trial.place().on("kit-some-machine");
      Refusals.ofJob(
          trial,
          trial.jobs().member("echo never").at(place),
          "a machine that is there",
          Trait.BLOCKS,
          Trait.REUSE);
      return;
    }
    Expect.that(
        trial.traits().base() != Traits.Base.MACHINES, "machines have BLOCKS by themselves");
    String first = trial.jobs().run("sleep 3600");
    trial.jobs().awaitRunning(first);
    Refusals.ofJob(trial, trial.jobs().request("echo never"), "a machine in use", Trait.BLOCKS);
  }
}
