package dev.berth.testkit.checks;

import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BootWay;
import dev.berth.spi.CreateRequest;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;

/** What machines are told when they are created. */
final class BootChecks {
  static final List<Check> ALL =
      List.of(
          Check.of(
                  Area.CREATE,
                  "boot-way-stays-the-same",
                  "bootWay() of an offer is the same each time, also of a server that was started"
                      + " later.",
                  BootChecks::staysTheSame)
              .needing(Part.MACHINES),
          Check.of(
                  Area.CREATE,
                  "create-takes-the-longest-boot-text",
                  "A machine with a boot text of as many bytes as bootWay() allows becomes READY.",
                  BootChecks::longest)
              .needing(Part.MACHINES));

  private BootChecks() {}

  private static void staysTheSame(Trial trial) {
    CatalogItem offer = trial.offered().at(trial.place());
    BootWay way = trial.compute().bootWay(offer);
    Expect.same(way, trial.compute().bootWay(offer), "bootWay() of one offer, again");
    Expect.same(way, trial.reopened().bootWay(offer), "bootWay() of one offer, of a new server");
  }

  private static void longest(Trial trial) {
    CreateRequest.Machine sample = trial.things().machine(trial.key(), trial.place());
    BootWay way = trial.compute().bootWay(sample.offer());
    if (way instanceof BootWay.OverSsh) {
      throw new NotApplicable("its machines take no boot text");
    }
    String text = sample.boot() + "#".repeat(way.maxBytes() - sample.boot().length());
    CreateRequest.Machine machine =
        new CreateRequest.Machine(
            sample.marks(),
            sample.labels(),
            sample.place(),
            sample.offer(),
            sample.diskMib(),
            text,
            sample.sshKeys(),
            List.of(),
            null);
    trial.things().awaitReady(trial.things().create(machine).ref());
  }
}
