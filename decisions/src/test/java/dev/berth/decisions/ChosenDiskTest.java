package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Availability;
import dev.berth.model.Candidate;
import dev.berth.model.DiskOption;
import dev.berth.model.Instance;
import dev.berth.model.MachineRequest;
import dev.berth.model.Operation;
import dev.berth.model.RunStatus;
import dev.berth.model.offers.CatalogItem;
import dev.berth.planning.testing.TaskBuilder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Machines whose disk has no size before they are ordered. */
final class ChosenDiskTest {
  private static final long GIB = 1024;

  private static final long USUAL = 100 * GIB;

  private final Scenario scenario = new Scenario();

  /** Without a disk of its own; its price does not contain that of the disk. */
  private static Candidate offer(String type, double price, @Nullable DiskOption disk) {
    CatalogItem item = Offers.item(type, price, "eu-1", false, 0).with(null, price);
    return new Candidate(
        Offers.BACKEND, "cloud", item, Availability.AVAILABLE, List.of(), disk, Offers.MACHINES);
  }

  private static DiskOption from(long least, long most, double pricePerGib) {
    return DiskOption.smallest(least * GIB, most * GIB, pricePerGib);
  }

  private MachineRequest request(String run) {
    Action create = scenario.flying(scenario.machineOf(run, 0).id());
    return (MachineRequest) ((Operation.Create) create.operation()).request();
  }

  @Test
  void theDiskIsAsLargeAsTheRunNeedsAndItsPriceCounts() {
    scenario.market = Offers.market(offer("fair", 1, from(10, 1000, 0.001)));
    String run = scenario.submit("hello", TaskBuilder.task().disk(500 * GIB));
    Instance machine = scenario.machineOf(run, 0);
    assertThat(machine.price()).isEqualTo(1.5);
    assertThat(machine.capacity().diskMib()).isEqualTo(500 * GIB);
    assertThat(request(run).diskMib()).isEqualTo(500 * GIB);
    assertThat(request(run).requireOffer().diskMib()).isEqualTo(500 * GIB);
  }

  @Test
  void aSmallerDiskThanThereIsBecomesTheSmallest() {
    scenario.market = Offers.market(offer("fair", 1, from(200, 1000, 0)));
    assertThat(request(scenario.submit("hello")).diskMib()).isEqualTo(200 * GIB);
  }

  @Test
  void aLargerDiskThanThereIsIsNoOffer() {
    scenario.market = Offers.market(offer("fair", 1, from(10, 400, 0)));
    String run = scenario.submit("hello", TaskBuilder.task().disk(500 * GIB));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void theCheaperWholeIsTaken() {
    Candidate cheap = offer("cheap", 1, from(10, 1000, 0.01)).withDisk(Optional.of(500 * GIB));
    Candidate dear = offer("dear", 2, from(10, 1000, 0)).withDisk(Optional.of(500 * GIB));
    scenario.market = Offers.market(cheap, dear);
    String run = scenario.submit("hello", TaskBuilder.task().disk(500 * GIB));
    assertThat(scenario.machineOf(run, 0).bought().orElseThrow().place().instanceType())
        .isEqualTo("dear");
  }

  @Test
  void theLimitOfThePriceIsOneOfTheWhole() {
    scenario.market = Offers.market(offer("fair", 1, from(10, 1000, 0.01)));
    TaskBuilder task = TaskBuilder.task().disk(USUAL);
    task.maxPrice = 1.5;
    assertThat(scenario.run(scenario.submit("hello", task)).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void soldOutIsSoldOutWithAnyDisk() {
    Candidate small = offer("fair", 1, from(10, 1000, 0.001));
    Candidate large = small.withDisk(Optional.of(500 * GIB));
    assertThat(small.item().diskMib()).isEqualTo(10 * GIB);
    assertThat(large.item().diskMib()).isEqualTo(500 * GIB);
    assertThat(large.place().offerKey("b")).isEqualTo(small.place().offerKey("b"));
  }

  @Test
  void aMachineIsNotUsedAgainByWhoNeedsALargerDisk() {
    scenario.market = Offers.market(offer("fair", 1, null));
    String first = scenario.submit("first", TaskBuilder.task().disk(USUAL));
    Instance machine = scenario.machineOf(first, 0);
    assertThat(machine.capacity().diskMib()).isEqualTo(USUAL);
    assertThat(machine.bought().orElseThrow().offer().diskMib()).isEqualTo(USUAL);
  }
}
