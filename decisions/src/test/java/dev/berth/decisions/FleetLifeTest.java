package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Resource;
import dev.berth.model.RunStatus;
import dev.berth.model.config.Blocks;
import dev.berth.model.config.CreationPolicy;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.model.config.RetryEvent;
import dev.berth.planning.fleet.FleetPlanner;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Fleets: how many machines they have, and what becomes of them. */
final class FleetLifeTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Scenario scenario =
      Cloud.selling(Offers.machine("fair", 1), Offers.machine("dear", 4));
  private final Cloud cloud = new Cloud(scenario);

  private List<Instance> machines(String fleet) {
    return scenario.memory.children(Instance.class, fleet);
  }

  private List<InstanceReason> reasons(String fleet) {
    return scenario
        .memory
        .all(Instance.class)
        .filter(machine -> fleet.equals(machine.parent()))
        .flatMap(machine -> machine.bought().stream())
        .map(purchase -> purchase.reason())
        .filter(reason -> reason != null)
        .toList();
  }

  private static Fleet.Spec only(FleetNodes nodes, String... types) {
    return FleetPlanner.spec(
        Offers.restricted(nodes, Blocks.WHOLE, null, null, null, null, List.of(types), null));
  }

  private static Fleet.Spec kept(int min, @Nullable Duration idle) {
    return Offers.fleet(new FleetNodes(min, min, null), Blocks.WHOLE, null, idle);
  }

  @Test
  void aFleetStartsWithItsTarget() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 3, 5));
    cloud.run();
    assertThat(machines(fleet)).hasSize(3).allMatch(one -> one.status() == Instance.Status.IDLE);
    assertThat(machines(fleet))
        .extracting(Instance::name)
        .containsExactly("pool-0", "pool-1", "pool-2");
    assertThat(cloud.asked).containsOnly("fair@eu-1");
  }

  @Test
  void aFleetWaitsUntilWhatCanBeBoughtIsKnown() {
    scenario.market = OfferView.of(List.of(), false, Instant.EPOCH);
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, 5));
    assertThat(scenario.fleet(fleet).trials()).isZero();
    scenario.market = Offers.market(Offers.machine("fair", 1));
    scenario.tell(new Message.OffersChanged());
    assertThat(machines(fleet)).hasSize(1);
  }

  @Test
  void offersOfBeforeAreBoughtAtOnceButTheirLackIsNoFailure() {
    List<Candidate> known = List.of(Offers.machine("fair", 1));
    scenario.market = OfferView.of(known, true, Instant.EPOCH);
    assertThat(machines(scenario.applyFleet("pool", Offers.fleet(1, 1, 5)))).hasSize(1);
    scenario.market = OfferView.of(List.of(), true, Instant.EPOCH);
    String other = scenario.applyFleet("other", Offers.fleet(1, 1, 5));
    assertThat(scenario.fleet(other).trials()).as("newer offers are awaited").isZero();
    assertThat(scenario.fleet(other).due()).isEqualTo(scenario.now());
    scenario.market = OfferView.of(List.of(), true, scenario.now());
    scenario.tell(new Message.OffersChanged());
    assertThat(scenario.fleet(other).trials()).isEqualTo(1);
  }

  @Test
  void idleMachinesGoButNeverBelowTheLeastNumber() {
    String fleet =
        scenario.applyFleet(
            "pool", Offers.fleet(new FleetNodes(2, 4, null), Blocks.WHOLE, null, HOUR));
    cloud.run();
    assertThat(machines(fleet)).hasSize(4);
    scenario.pass(HOUR);
    cloud.answer();
    assertThat(machines(fleet)).hasSize(2);
    assertThat(reasons(fleet))
        .containsExactly(InstanceReason.IDLE_TIMEOUT, InstanceReason.IDLE_TIMEOUT);
    scenario.pass(HOUR.multipliedBy(5));
    cloud.answer();
    assertThat(machines(fleet)).hasSize(2);
  }

  @Test
  void machinesThatAreKeptAreNotLookedAtWithoutEnd() {
    String fleet = scenario.applyFleet("pool", kept(1, Duration.ZERO));
    cloud.run();
    scenario.pass(Duration.ofSeconds(1));
    Instant due = machines(fleet).getFirst().due();
    assertThat(due).isNotNull().isAfter(scenario.now());
  }

  @Test
  void aNewMachineOfARunIsKeptForTheShorterOfBothTimes() {
    scenario.applyFleet("pool", kept(0, HOUR));
    String brief = scenario.submit("brief", TaskBuilder.task().idle(Duration.ofMinutes(1)));
    String longer = scenario.submit("longer", TaskBuilder.task().idle(HOUR.multipliedBy(9)));
    assertThat(scenario.machineOf(brief, 0).bought().orElseThrow().idleDuration())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(scenario.machineOf(longer, 0).bought().orElseThrow().idleDuration()).isEqualTo(HOUR);
  }

  @Test
  void whoComesToAFullFleetWaits() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(0, 0, 1));
    String first = scenario.submit("first");
    String second = scenario.submit("second");
    cloud.run();
    assertThat(scenario.attempt(second).status()).isEqualTo(JobStatus.SUBMITTED);
    assertThat(scenario.run(second).status()).isEqualTo(RunStatus.SUBMITTED);
    assertThat(machines(fleet)).hasSize(1);
    scenario.exit(first, 0, 0);
    assertThat(scenario.attempt(second).instanceId()).isEqualTo(machines(fleet).getFirst().id());
  }

  @Test
  void whoCanNeverFitAFleetDoesNotWaitForIt() {
    scenario.applyFleet(
        "small", Offers.fleet(new FleetNodes(0, 0, 2), Blocks.WHOLE, FleetPlacement.CLUSTER, null));
    String gang = scenario.submit("gang", TaskBuilder.task().nodes(3).inFleet("small"));
    assertThat(scenario.run(gang).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void aRunThatNamesAFleetUsesNoOther() {
    String pool = scenario.applyFleet("pool", Offers.fleet(0, 0, null));
    String other = scenario.applyFleet("other", only(new FleetNodes(0, 0, null), "dear"));
    String run = scenario.submit("hello", TaskBuilder.task().inFleet("other"));
    cloud.run();
    assertThat(machines(other)).hasSize(1);
    assertThat(machines(pool)).isEmpty();
    assertThat(cloud.asked).containsExactly("dear@eu-1");
    scenario.exit(run, 0, 0);
    String again = scenario.submit("again", TaskBuilder.task().inFleet("pool"));
    assertThat(scenario.machineOf(again, 0).parent()).isEqualTo(pool);
    String nobody = scenario.submit("nobody", TaskBuilder.task().inFleet("nowhere"));
    assertThat(scenario.run(nobody).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void whoMayOnlyReuseBuysNothing() {
    TaskBuilder task = TaskBuilder.task();
    task.creationPolicy = CreationPolicy.REUSE;
    String early = scenario.submit("early", task);
    assertThat(scenario.run(early).status()).isEqualTo(RunStatus.FAILED);
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    cloud.run();
    String busy = scenario.submit("busy");
    cloud.run();
    String late = scenario.submit("late", task);
    assertThat(scenario.run(late).status()).as("it waits").isEqualTo(RunStatus.SUBMITTED);
    scenario.exit(busy, 0, 0);
    assertThat(scenario.attempt(late).instanceId()).isEqualTo(machines(fleet).getFirst().id());
  }

  @Test
  void whoMayOnlyReuseDoesNotWaitForAFleetThatItDoesNotName() {
    scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    scenario.applyFleet("empty", Offers.fleet(0, 0, null));
    cloud.run();
    TaskBuilder task = TaskBuilder.task().inFleet("empty");
    task.creationPolicy = CreationPolicy.REUSE;
    assertThat(scenario.run(scenario.submit("late", task)).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void anUpdateBringsTheFleetToItsNewLeastNumber() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    cloud.run();
    String same = scenario.applyFleet("pool", Offers.fleet(3, 3, null));
    assertThat(same).isEqualTo(fleet);
    cloud.run();
    assertThat(machines(fleet)).hasSize(3);
  }

  @Test
  void anUpdateGivesBackWhatIsTooMuch() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(0, 3, null));
    cloud.run();
    String busy = scenario.submit("busy");
    cloud.run();
    scenario.applyFleet("pool", Offers.fleet(0, 0, 1));
    cloud.answer();
    assertThat(machines(fleet)).hasSize(1);
    assertThat(scenario.run(busy).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(reasons(fleet))
        .containsExactly(InstanceReason.MAX_INSTANCES_LIMIT, InstanceReason.MAX_INSTANCES_LIMIT);
  }

  @Test
  void aBusyMachineThatIsTooMuchGoesWhenItsWorkIsDone() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(0, 2, null));
    cloud.run();
    String first = scenario.submit("first");
    scenario.submit("second");
    cloud.run();
    scenario.applyFleet("pool", Offers.fleet(0, 0, 1));
    cloud.answer();
    assertThat(machines(fleet)).hasSize(2);
    scenario.exit(first, 0, 0);
    cloud.answer();
    assertThat(machines(fleet)).hasSize(1);
    assertThat(reasons(fleet)).containsExactly(InstanceReason.MAX_INSTANCES_LIMIT);
  }

  @Test
  void anUpdateRecyclesWhatItDoesNotAskForAnyMore() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(2, 2, null));
    cloud.run();
    String busy = scenario.submit("busy");
    cloud.run();
    scenario.applyFleet("pool", only(new FleetNodes(2, 2, null), "dear"));
    cloud.answer();
    assertThat(reasons(fleet)).containsExactly(InstanceReason.FLEET_SPEC_MISMATCH);
    assertThat(scenario.run(busy).status())
        .as("busy ones are left alone")
        .isEqualTo(RunStatus.RUNNING);
    scenario.pass(Duration.ofMinutes(1));
    cloud.run();
    scenario.exit(busy, 0, 0);
    cloud.answer();
    scenario.pass(Duration.ofMinutes(2));
    cloud.run();
    assertThat(machines(fleet))
        .hasSize(2)
        .allMatch(one -> one.bought().orElseThrow().place().instanceType().equals("dear"));
  }

  @Test
  void whatFitsTheNewConfigurationStays() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    cloud.run();
    String before = machines(fleet).getFirst().id();
    scenario.applyFleet("pool", only(new FleetNodes(1, 1, 4), "fair", "dear"));
    cloud.run();
    assertThat(machines(fleet)).extracting(Instance::id).containsExactly(before);
  }

  @Test
  void aDeletedFleetGivesBackIdleMachinesAtOnceAndBusyOnesWhenTheyAreDone() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(0, 2, null));
    cloud.run();
    String busy = scenario.submit("busy");
    cloud.run();
    scenario.deleteFleet("pool");
    cloud.answer();
    assertThat(scenario.fleet(fleet).status()).isEqualTo(Fleet.Status.TERMINATING);
    assertThat(machines(fleet)).hasSize(1);
    assertThat(scenario.run(busy).status()).isEqualTo(RunStatus.RUNNING);
    Reply again =
        scenario.tell(
            new Message.ApplyFleet(
                "fresh", "main", "ann", "pool", Map.of(), Offers.fleet(0, 0, null)));
    assertThat(again).isInstanceOf(Reply.Refused.class);
    scenario.exit(busy, 0, 0);
    cloud.answer();
    assertThat(scenario.fleet(fleet).status()).isEqualTo(Fleet.Status.TERMINATED);
    assertThat(cloud.machines).isEmpty();
    assertThat(reasons(fleet)).containsOnly(InstanceReason.TERMINATED_BY_USER);
  }

  @Test
  void anEmptyFleetIsGoneAtOnce() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(0, 0, null));
    scenario.deleteFleet("pool");
    assertThat(scenario.fleet(fleet).status()).isEqualTo(Fleet.Status.TERMINATED);
    assertThat(scenario.deleteFleet("pool")).isInstanceOf(Reply.Refused.class);
  }

  @Test
  void nothingIsPlacedInAFleetThatIsBeingDeleted() {
    scenario.applyFleet("pool", Offers.fleet(0, 1, null));
    cloud.run();
    String first = scenario.submit("first");
    cloud.run();
    scenario.deleteFleet("pool");
    String second = scenario.submit("second", TaskBuilder.task().inFleet("pool"));
    assertThat(scenario.run(second).status()).isEqualTo(RunStatus.FAILED);
    scenario.exit(first, 0, 0);
  }

  @Test
  void theFleetOfARunCanBeDeletedWithoutHarmToTheRun() {
    String run =
        scenario.submit(
            "hello", TaskBuilder.task().retrying(Duration.ofDays(1), RetryEvent.values()));
    cloud.run();
    scenario.deleteFleet("hello");
    cloud.take(scenario.machineOf(run, 0).id());
    scenario.pass(Duration.ofSeconds(15));
    cloud.run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    scenario.exit(run, 0, 0);
    scenario.deleteFleet("hello");
    cloud.answer();
    assertThat(cloud.machines).isEmpty();
    assertThat(scenario.memory.active(Fleet.class)).isEmpty();
  }

  @Test
  void withoutOffersItIsTriedAgainMoreAndMoreRarelyAndThenNotAnyMore() {
    scenario.market = Offers.market(Offers.container("box", 1));
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    List<Duration> pauses = new ArrayList<>();
    while (scenario.fleet(fleet).due() != null) {
      Instant due = Objects.requireNonNull(scenario.fleet(fleet).due());
      pauses.add(Duration.between(scenario.now(), due));
      scenario.pass(Duration.between(scenario.now(), due));
    }
    assertThat(pauses).hasSize(FleetLife.MOST_TRIALS - 1);
    assertThat(pauses.subList(0, 6))
        .extracting(Duration::toMinutes)
        .containsExactly(1L, 2L, 5L, 10L, 30L, 30L);
    assertThat(scenario.fleet(fleet).message()).contains("change the fleet to try again");
    scenario.market = Offers.market(Offers.machine("fair", 1));
    scenario.pass(Duration.ofDays(2));
    assertThat(machines(fleet)).isEmpty();
    scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    assertThat(machines(fleet)).as("after a change").hasSize(1);
  }

  @Test
  void machinesThatCannotBeHadAreTriedAgainMoreAndMoreRarelyAndThenNotAnyMore() {
    cloud.soldOut("eu-1");
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    cloud.answer();
    List<Duration> pauses = new ArrayList<>();
    while (scenario.fleet(fleet).due() != null && pauses.size() < 50) {
      Instant due = Objects.requireNonNull(scenario.fleet(fleet).due());
      pauses.add(Duration.between(scenario.now(), due));
      scenario.pass(Duration.between(scenario.now(), due));
      cloud.answer();
    }
    assertThat(pauses.subList(0, 6))
        .extracting(Duration::toMinutes)
        .containsExactly(1L, 2L, 5L, 10L, 30L, 30L);
    assertThat(pauses).hasSize(FleetLife.MOST_TRIALS - 1);
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
  }

  @Test
  void whenAnOfferCannotBeHadTheNextIsTriedAtOnce() {
    Scenario shop =
        Cloud.selling(
            Offers.machine("gone", 1), Offers.machine("lost", 2), Offers.machine("there", 3));
    Cloud seller = new Cloud(shop);
    seller.soldOut("gone");
    seller.soldOut("lost");
    String fleet = shop.applyFleet("pool", Offers.fleet(2, 2, null));
    seller.run();
    assertThat(shop.memory.children(Instance.class, fleet))
        .as("without a pause")
        .hasSize(2)
        .extracting(machine -> machine.bought().orElseThrow().offer().instanceType())
        .containsOnly("there");
    assertThat(shop.fleet(fleet).tried()).as("nothing is held against them later").isEmpty();
    assertThat(shop.fleet(fleet).trials()).isZero();
  }

  @Test
  void aLostMachineIsReplacedAndTriesAreCountedAnewOnceItIsReady() {
    String fleet = scenario.applyFleet("pool", Offers.fleet(1, 1, null));
    cloud.run();
    for (int i = 0; i < 3; i++) {
      cloud.take(machines(fleet).getFirst().id());
      assertThat(scenario.fleet(fleet).due()).isEqualTo(scenario.now().plus(Duration.ofMinutes(1)));
      scenario.pass(Duration.ofMinutes(1));
      cloud.run();
      assertThat(machines(fleet)).hasSize(1);
      assertThat(scenario.fleet(fleet).trials()).isZero();
    }
  }

  @Test
  void theMachinesOfAClusterAreNearEachOther() {
    scenario.market =
        Offers.market(Offers.machine("near", 2, "eu-1"), Offers.machine("far", 3, "us-1"));
    String fleet =
        scenario.applyFleet(
            "cluster",
            Offers.fleet(new FleetNodes(1, 1, null), Blocks.WHOLE, FleetPlacement.CLUSTER, null));
    cloud.run();
    scenario.market =
        Offers.market(Offers.machine("near", 2, "eu-1"), Offers.machine("cheap", 1, "us-1"));
    String first = scenario.submit("first");
    String second = scenario.submit("second");
    cloud.run();
    scenario.applyFleet(
        "cluster",
        Offers.fleet(new FleetNodes(3, 3, null), Blocks.WHOLE, FleetPlacement.CLUSTER, null));
    cloud.run();
    assertThat(machines(fleet)).hasSize(3).allMatch(one -> one.region().equals("eu-1"));
    assertThat(scenario.run(first).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.run(second).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void aGangUsesTheMachinesOfACluster() {
    String fleet =
        scenario.applyFleet(
            "cluster",
            Offers.fleet(new FleetNodes(2, 2, 2), Blocks.WHOLE, FleetPlacement.CLUSTER, null));
    cloud.run();
    String gang = scenario.submit("gang", TaskBuilder.task().nodes(2));
    cloud.run();
    assertThat(scenario.run(gang).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(machines(fleet)).hasSize(2);
    assertThat(cloud.machines).hasSize(2);
    assertThat(scenario.memory.active(Attempt.class)).hasSize(2);
  }
}
