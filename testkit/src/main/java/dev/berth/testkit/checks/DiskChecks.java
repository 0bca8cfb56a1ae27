package dev.berth.testkit.checks;

import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.DiskChoice;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Optional;

/** The disks of machines, where their size is chosen. */
final class DiskChecks {
  private static final long A_LITTLE_MIB = 1024;

  static final List<Check> ALL =
      List.of(
          Check.of(
                  Area.CREATE,
                  "create-takes-a-disk-of-a-size",
                  "Machines are created with the smallest and the largest size that disk() names.",
                  DiskChecks::within)
              .needing(Part.MACHINES),
          Check.of(
                  Area.CREATE,
                  "disk-outside-of-the-choice-refused",
                  "A disk that is larger than disk() allows is a permanent error, and nothing is"
                      + " made.",
                  DiskChecks::outside)
              .needing(Part.MACHINES));

  private DiskChecks() {}

  private static DiskChoice choice(Trial trial) {
    CatalogItem offer = trial.offered().at(trial.place());
    if (offer.diskMib() != null) {
      throw new NotApplicable("its offers say which disk they have");
    }
    DiskChoice choice =
        trial
            .compute()
            .disk(offer)
            .orElseThrow(() -> new NotApplicable("disk() does not say which sizes there are"));
    Expect.same(Optional.of(choice), trial.compute().disk(offer), "disk() of one offer, again");
    return choice;
  }

  private static CreateRequest.Machine machine(Trial trial, long diskMib) {
    CreateRequest.Machine sample = trial.things().machine(trial.key(), trial.place());
    return new CreateRequest.Machine(
        sample.marks(),
        sample.labels(),
        sample.place(),
        sample.offer().with(diskMib, sample.offer().price()),
        diskMib,
        sample.boot(),
        sample.sshKeys(),
        List.of(),
        null);
  }

  private static void within(Trial trial) {
    DiskChoice choice = choice(trial);
    for (long size : List.of(choice.minMib(), choice.maxMib())) {
      trial.things().awaitReady(trial.things().create(machine(trial, size)).ref());
    }
  }

  private static void outside(Trial trial) {
    CreateRequest.Machine machine = machine(trial, choice(trial).maxMib() + A_LITTLE_MIB);
    Expect.thrown(
        () -> trial.things().create(machine),
        "create() of a machine with a larger disk than disk() allows",
        BackendException.Permanent.class);
    trial.pass(trial.things().visibleWithin());
    Expect.that(
        trial.things().keyed(trial.owner(), machine.key()).isEmpty(),
        "create() threw, and something was made all the same");
  }
}
