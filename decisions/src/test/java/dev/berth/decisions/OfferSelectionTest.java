package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import dev.berth.model.JobStatus;
import dev.berth.model.Place;
import dev.berth.model.ResourceVector;
import dev.berth.model.RunStatus;
import dev.berth.model.config.Blocks;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.offers.CatalogItem;
import dev.berth.planning.fleet.FleetPlanner;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which offers come into question: the run's wishes, the fleet's, and what failed lately. */
final class OfferSelectionTest {
  private final Scenario scenario = new Scenario();
  private final Cloud cloud = new Cloud(scenario);

  private void sell(Candidate... offers) {
    scenario.market = Offers.market(offers);
  }

  private Place placeOf(String run) {
    return scenario.machineOf(run, 0).bought().orElseThrow().place();
  }

  private void fleet(
      String name,
      @Nullable String reservation,
      @Nullable List<String> zones,
      @Nullable List<String> types,
      @Nullable Double maxPrice) {
    scenario.applyFleet(
        name,
        FleetPlanner.spec(
            Offers.restricted(
                new FleetNodes(0, 0, null),
                Blocks.WHOLE,
                null,
                null,
                reservation,
                zones,
                types,
                maxPrice)));
  }

  @Test
  void aMachineMustBeWhatTheFleetAndTheRunAskFor() {
    sell(
        Offers.machine("tiny", 1, "eu-1"),
        Offers.machine("mine", 2, "eu-1"),
        Offers.machine("mine", 1.5, "us-1"));
    fleet("pool", null, null, List.of("mine"), null);
    TaskBuilder task = TaskBuilder.task();
    task.regions = List.of("eu-1");
    String run = scenario.submit("hello", task);
    assertThat(placeOf(run).instanceType()).isEqualTo("mine");
    assertThat(placeOf(run).region()).isEqualTo("eu-1");
  }

  @Test
  void namesOfRunAndFleetAreComparedWithoutCase() {
    sell(Offers.machine("Mine", 2, "eu-1", "eu-1a", "eu-1b"));
    fleet("pool", null, List.of("EU-1A", "EU-1B"), List.of("MINE"), null);
    TaskBuilder task = TaskBuilder.task().inFleet("pool");
    task.regions = List.of("EU-1");
    task.zones = List.of("eu-1B");
    task.instanceTypes = List.of("mine");
    assertThat(placeOf(scenario.submit("hello", task)).zone()).isEqualTo("eu-1b");
  }

  @Test
  void theLowerPriceLimitCounts() {
    sell(Offers.machine("fair", 3));
    fleet("pool", null, null, null, 2.0);
    TaskBuilder rich = TaskBuilder.task().inFleet("pool");
    rich.maxPrice = 10.0;
    assertThat(scenario.run(scenario.submit("rich", rich)).status()).isEqualTo(RunStatus.FAILED);
    TaskBuilder poor = TaskBuilder.task();
    poor.maxPrice = 2.0;
    assertThat(scenario.run(scenario.submit("poor", poor)).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void onDemandIsTheDefaultAndAutoTakesTheCheapest() {
    sell(Offers.spotMachine("brief", 1), Offers.machine("steady", 3));
    assertThat(placeOf(scenario.submit("usual")).spot()).isFalse();
    assertThat(placeOf(scenario.submit("any", TaskBuilder.task().spot(SpotPolicy.AUTO))).spot())
        .isTrue();
    assertThat(placeOf(scenario.submit("spot", TaskBuilder.task().spot(SpotPolicy.SPOT))).spot())
        .isTrue();
  }

  @Test
  void onlyZonesThatWereAskedForAreTried() {
    sell(Offers.machine("fair", 1, "eu-1", "eu-1a", "eu-1b", "eu-1c"));
    TaskBuilder task = TaskBuilder.task();
    task.zones = List.of("EU-1B", "eu-1c");
    String run = scenario.submit("hello", task);
    assertThat(placeOf(run).zone()).isEqualTo("eu-1b");
    cloud.soldOut("fair").answer();
    assertThat(cloud.asked).hasSize(2);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void aMachineInAZoneIsUsedAgainByThoseWhoAskForTheZone() {
    sell(Offers.machine("fair", 1, "eu-1", "eu-1a", "eu-1b"));
    TaskBuilder task = TaskBuilder.task();
    task.zones = List.of("eu-1b");
    String first = scenario.submit("first", task);
    cloud.run();
    scenario.exit(first, 0, 0);
    String second = scenario.submit("second", task);
    assertThat(scenario.attempt(second).instanceId())
        .isEqualTo(scenario.attempt(first).instanceId());
    cloud.run();
    scenario.exit(second, 0, 0);
    task.zones = List.of("eu-1a");
    String third = scenario.submit("third", task);
    assertThat(placeOf(third).zone()).isEqualTo("eu-1a");
  }

  @Test
  void theZonesOfTheFleetCountToo() {
    sell(Offers.machine("fair", 1, "eu-1", "eu-1a", "eu-1b", "eu-1c"));
    fleet("pool", null, List.of("eu-1b", "eu-1c"), null, null);
    assertThat(placeOf(scenario.submit("any")).zone()).isEqualTo("eu-1b");
    TaskBuilder task = TaskBuilder.task();
    task.zones = List.of("eu-1a", "eu-1c");
    assertThat(placeOf(scenario.submit("both", task)).zone()).isEqualTo("eu-1c");
  }

  @Test
  void machinesInTheZonesOfTheirFleetAreNotRecycled() {
    sell(Offers.machine("fair", 1, "eu-1", "eu-1a", "eu-1b"));
    fleet("pool", null, List.of("eu-1b"), null, null);
    String run = scenario.submit("hello");
    cloud.run();
    scenario.exit(run, 0, 0);
    fleet("pool", null, List.of("eu-1b"), null, 99.0);
    assertThat(scenario.machineOf(run, 0).status()).isEqualTo(Instance.Status.IDLE);
  }

  @Test
  void reservedCapacityIsAskedForOnlyWhereItCanBeUsed() {
    CatalogItem item = Offers.item("cheap", 1, "eu-1", false, 0);
    Candidate.Abilities without =
        new Candidate.Abilities(true, true, true, false, true, Duration.ofMinutes(10));
    sell(Offers.offer(item, without), Offers.machine("fair", 2));
    TaskBuilder task = TaskBuilder.task();
    task.reservation = "cr-1";
    String run = scenario.submit("hello", task);
    assertThat(placeOf(run).instanceType()).isEqualTo("fair");
    assertThat(placeOf(run).reservation()).isEqualTo("cr-1");
    assertThat(
            scenario
                .flying(scenario.machineOf(run, 0).id())
                .machine()
                .orElseThrow()
                .place()
                .reservation())
        .isEqualTo("cr-1");
  }

  @Test
  void theReservationOfTheFleetIsUsed() {
    sell(Offers.machine("fair", 2));
    fleet("pool", "cr-7", null, null, null);
    assertThat(placeOf(scenario.submit("hello")).reservation()).isEqualTo("cr-7");
    TaskBuilder other = TaskBuilder.task().inFleet("pool");
    other.reservation = "cr-8";
    assertThat(scenario.run(scenario.submit("other", other)).status())
        .as("a machine cannot be in two reservations")
        .isEqualTo(RunStatus.FAILED);
  }

  @Test
  void aMachineIsUsedAgainOnlyInItsReservation() {
    sell(Offers.machine("fair", 2));
    String first = scenario.submit("first");
    cloud.run();
    scenario.exit(first, 0, 0);
    TaskBuilder task = TaskBuilder.task();
    task.reservation = "cr-1";
    String second = scenario.submit("second", task);
    assertThat(placeOf(second).reservation()).isEqualTo("cr-1");
  }

  @Test
  void whatFailedLatelyIsNotTriedByOthers() {
    sell(Offers.machine("fair", 1), Offers.machine("dear", 3));
    String key = Place.of(Offers.item("fair", 1, "eu-1", false, 0)).offerKey(Offers.BACKEND);
    scenario.market =
        Offers.failing(scenario.market, Map.of(key, scenario.now().plus(Duration.ofMinutes(1))));
    assertThat(placeOf(scenario.submit("early")).instanceType()).isEqualTo("dear");
    scenario.later(Duration.ofMinutes(1));
    assertThat(placeOf(scenario.submit("late")).instanceType()).isEqualTo("fair");
  }

  @Test
  void aFailureOfEightAcceleratorsLeavesOneOfTheSameType() {
    sell(Offers.gpuMachine("a100", 16, 8), Offers.gpuMachine("a100", 20, 1));
    String eight = Place.of(Offers.item("a100", 16, "eu-1", false, 8)).offerKey(Offers.BACKEND);
    scenario.market =
        Offers.failing(scenario.market, Map.of(eight, scenario.now().plus(Duration.ofMinutes(1))));
    assertThat(placeOf(scenario.submit("early")).price()).isEqualTo(20);
    scenario.later(Duration.ofMinutes(1));
    assertThat(placeOf(scenario.submit("late")).price()).isEqualTo(16);
  }

  @Test
  void theKeyOfATriedOfferIsTheOneThatIsBarred() {
    sell(Offers.machine("fair", 1, "eu-1", "eu-1a"));
    String run = scenario.submit("hello");
    String key = placeOf(run).offerKey(Offers.BACKEND);
    cloud.soldOut("fair").answer();
    assertThat(scenario.placement(run).tried()).containsExactly(key);
  }

  @Test
  void blocksShareAMachineAndItsPrice() {
    sell(Offers.gpuMachine("eight", 16, 8));
    scenario.applyFleet(
        "shared", Offers.fleet(new FleetNodes(0, 0, null), Blocks.AUTO, null, Duration.ofHours(1)));
    TaskBuilder two = TaskBuilder.task().gpus(2).endedAtOnce();
    String first = scenario.submit("first", two);
    assertThat(scenario.attempt(first).price()).isEqualTo(4);
    cloud.run();
    String second = scenario.submit("second", TaskBuilder.task().gpus(5));
    assertThat(scenario.attempt(second).instanceId())
        .isEqualTo(scenario.attempt(first).instanceId());
    assertThat(scenario.attempt(second).price()).isEqualTo(10);
    Instance machine = scenario.machineOf(first, 0);
    ResourceVector ofFirst =
        Objects.requireNonNull(machine.allocations().get(scenario.attempt(first).id()));
    ResourceVector ofSecond =
        Objects.requireNonNull(machine.allocations().get(scenario.attempt(second).id()));
    assertThat(ofFirst.devices()).hasSize(2).doesNotContainAnyElementsOf(ofSecond.devices());
    assertThat(ofSecond.devices()).hasSize(5);
    assertThat(ofFirst.cpus()).isEqualTo(4);
    assertThat(ofSecond.memoryMib()).isEqualTo(65_536 * 5 / 8);
    cloud.run();
    String third = scenario.submit("third", TaskBuilder.task().gpus(2));
    assertThat(scenario.attempt(third).instanceId())
        .as("one is left, which is not enough")
        .isNotEqualTo(machine.id());
    scenario.exit(first, 0, 0);
    assertThat(scenario.machine(machine.id()).status()).isEqualTo(Instance.Status.BUSY);
    assertThat(scenario.machine(machine.id()).free().devices()).hasSize(3);
  }

  @Test
  void aMachineThatCannotBeCutAsAskedIsNotBought() {
    sell(Offers.gpuMachine("eight", 1, 8));
    scenario.applyFleet(
        "thirds", Offers.fleet(new FleetNodes(0, 0, null), new Blocks(3), null, null));
    String run = scenario.submit("hello", TaskBuilder.task().inFleet("thirds"));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void machinesOfBlocksDoNotTakePartOfAGang() {
    sell(Offers.gpuMachine("eight", 16, 8));
    scenario.applyFleet(
        "shared", Offers.fleet(new FleetNodes(2, 2, 2), Blocks.AUTO, FleetPlacement.CLUSTER, null));
    cloud.run();
    String gang = scenario.submit("gang", TaskBuilder.task().nodes(2).gpus(1));
    assertThat(scenario.attempt(gang, 0).status()).isIn(JobStatus.SUBMITTED, JobStatus.FAILED);
    String single = scenario.submit("single", TaskBuilder.task().gpus(1));
    assertThat(scenario.attempt(single).status()).isEqualTo(JobStatus.PROVISIONING);
  }

  @Test
  void aPrivilegedContainerNeedsAPlaceThatAllowsIt() {
    CatalogItem item = Offers.item("cheap", 1, "eu-1", false, 0);
    sell(Offers.offer(item, Offers.CONTAINERS), Offers.machine("fair", 2));
    TaskBuilder task = TaskBuilder.task();
    task.privileged = true;
    assertThat(placeOf(scenario.submit("hello", task)).instanceType()).isEqualTo("fair");
  }
}
