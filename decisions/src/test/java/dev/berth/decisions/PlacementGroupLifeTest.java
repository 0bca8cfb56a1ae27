package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.MachineRequest;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceType;
import dev.berth.model.RunStatus;
import dev.berth.model.config.Blocks;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Placement groups: made first, handed on, deleted last, and never left behind. */
final class PlacementGroupLifeTest {
  private final Scenario scenario =
      Cloud.selling(
          Offers.grouped("near", 1, "eu-1"),
          Offers.grouped("other", 2, "eu-1"),
          Offers.grouped("far", 4, "us-1"));
  private final Cloud cloud = new Cloud(scenario);

  private static Fleet.Spec cluster(int nodes) {
    return Offers.fleet(
        new FleetNodes(nodes, nodes, null), Blocks.WHOLE, FleetPlacement.CLUSTER, null);
  }

  private String gang(int nodes) {
    return scenario.submit("gang", TaskBuilder.task().nodes(nodes));
  }

  private List<Resource> groups() {
    return scenario.memory.active(Resource.class).stream()
        .filter(resource -> resource.type() == ResourceType.PLACEMENT_GROUP)
        .toList();
  }

  private List<Action> unfinished() {
    return scenario.memory.unfinishedActions().filter(action -> !action.isHeld()).toList();
  }

  private void assertNothingIsLeft() {
    assertThat(cloud.machines).isEmpty();
    assertThat(cloud.groups).isEmpty();
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
    assertThat(scenario.memory.active(Fleet.class)).isEmpty();
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void theGroupIsMadeBeforeAnyMachineIsAskedFor() {
    String run = gang(2);
    assertThat(unfinished())
        .singleElement()
        .satisfies(
            action -> {
              assertThat(action.of()).isEqualTo(ResourceType.PLACEMENT_GROUP);
              assertThat(action.resourceId()).isEqualTo(run + "-f-g0");
            });
    assertThat(scenario.memory.find(Resource.class, scenario.machineOf(run, 0).id()))
        .map(Resource::phase)
        .contains(Resource.State.INTENDED);
    cloud.run();
    assertThat(cloud.asked).containsExactly("group@eu-1", "near@eu-1", "near@eu-1");
    assertThat(cloud.grouped.keySet()).isEqualTo(cloud.machines.keySet());
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void aGroupThatIsMadeAndNotReadyIsWaitedFor() {
    cloud.readyGroups = false;
    String run = gang(2);
    cloud.answer();
    assertThat(cloud.asked).containsExactly("group@eu-1");
    cloud.observation(run + "-f-g0", ResourceObservation.State.CREATING);
    assertThat(unfinished()).isEmpty();
    cloud.observation(run + "-f-g0", ResourceObservation.State.READY);
    assertThat(unfinished()).hasSize(2);
    cloud.run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void theGroupIsDeletedAfterTheLastMachine() {
    String run = gang(2);
    cloud.run();
    scenario.exit(run, 0, 0);
    scenario.exit(run, 1, 0);
    scenario.pass(Duration.ofMinutes(5));
    List<Action> deletes = unfinished();
    assertThat(deletes).extracting(Action::of).containsOnly(ResourceType.INSTANCE);
    cloud.carryOut(deletes.getFirst());
    assertThat(unfinished()).extracting(Action::of).containsExactly(ResourceType.INSTANCE);
    cloud.carryOut(deletes.getLast());
    assertThat(unfinished())
        .extracting(Action::of, Action::type)
        .containsExactly(tuple(ResourceType.PLACEMENT_GROUP, Action.Type.DELETE));
    assertThat(scenario.memory.active(Fleet.class)).as("it goes after its group").hasSize(1);
    cloud.answer();
    assertNothingIsLeft();
  }

  @Test
  void aFleetThatIsDeletedTakesItsGroupWithIt() {
    String fleet = scenario.applyFleet("pool", cluster(3));
    cloud.run();
    assertThat(cloud.asked).containsExactly("group@eu-1", "near@eu-1", "near@eu-1", "near@eu-1");
    assertThat(cloud.grouped.values()).containsOnly("pg-1").hasSize(3);
    scenario.deleteFleet("pool");
    cloud.answer();
    assertThat(scenario.fleet(fleet).status()).isEqualTo(Fleet.Status.TERMINATED);
    assertNothingIsLeft();
  }

  @Test
  void aMachineThatIsReplacedJoinsTheGroupOfTheOthers() {
    String fleet = scenario.applyFleet("pool", cluster(2));
    cloud.run();
    cloud.take(scenario.memory.children(Instance.class, fleet).getFirst().id());
    scenario.pass(Duration.ofMinutes(1));
    cloud.run();
    assertThat(cloud.machines).hasSize(2);
    assertThat(cloud.groups).hasSize(1);
    assertThat(cloud.grouped.values()).containsOnly("pg-1").hasSize(3);
  }

  @Test
  void aGroupThatIsOnItsWayOutIsNotUsedAgainAndItsKeyNeither() {
    String fleet = scenario.applyFleet("pool", cluster(1));
    cloud.run();
    cloud.take(scenario.memory.children(Instance.class, fleet).getFirst().id());
    assertThat(scenario.flying(fleet + "-g0").type()).isEqualTo(Action.Type.DELETE);
    scenario.pass(Duration.ofMinutes(1));
    assertThat(scenario.flying(fleet + "-g1").type()).isEqualTo(Action.Type.CREATE);
    cloud.run();
    assertThat(cloud.groups.values()).containsExactly(fleet + "-g1");
  }

  @Test
  void whereNoGroupCanBeMadeTheNextAreaIsTried() {
    cloud.soldOut("group@eu-1");
    String run = gang(2);
    cloud.run();
    assertThat(cloud.asked)
        .as("no other offer of that area")
        .containsExactly("group@eu-1", "group@us-1", "far@us-1", "far@us-1");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(cloud.groups).hasSize(1);
  }

  @Test
  void whereNoGroupCanBeMadeAnywhereItIsOverAndSaysWhy() {
    cloud.soldOut("group@eu-1", "group@us-1");
    String run = gang(2);
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).message()).contains("placement group").contains("no more groups");
    assertNothingIsLeft();
  }

  @Test
  void aFleetAvoidsAnAreaWhereNoGroupCouldBeMadeLately() {
    scenario.market =
        Offers.failing(scenario.market, Map.of(Offers.BACKEND + "/eu-1/", Instant.MAX));
    scenario.applyFleet("pool", cluster(2));
    scenario.applyFleet("loose", Offers.fleet(1, 1, null));
    cloud.run();
    assertThat(cloud.asked)
        .containsExactlyInAnyOrder("near@eu-1", "group@us-1", "far@us-1", "far@us-1");
  }

  @Test
  void aGroupThatTurnsOutNotToWorkIsDeletedAndTheNextAreaTried() {
    cloud.readyGroups = false;
    String run = gang(2);
    cloud.answer();
    cloud.readyGroups = true;
    cloud.observation(run + "-f-g0", ResourceObservation.State.FAILED);
    cloud.run();
    assertThat(cloud.asked).containsExactly("group@eu-1", "group@us-1", "far@us-1", "far@us-1");
    assertThat(cloud.groups.values()).containsExactly(run + "-f-g2");
  }

  @Test
  void aGroupThatIsNotReadyInTimeIsGivenUpWithItsArea() {
    cloud.readyGroups = false;
    gang(2);
    cloud.answer();
    cloud.readyGroups = true;
    scenario.pass(Duration.ofMinutes(10));
    cloud.run();
    assertThat(cloud.asked).containsExactly("group@eu-1", "group@us-1", "far@us-1", "far@us-1");
    assertThat(cloud.groups).hasSize(1);
  }

  @Test
  void backtrackingLeavesNoGroupBehind() {
    cloud.soldOut("near", "other");
    String run = gang(3);
    cloud.run();
    assertThat(cloud.asked).endsWith("group@us-1", "far@us-1", "far@us-1", "far@us-1");
    assertThat(cloud.groups).hasSize(1);
    assertThat(groups()).hasSize(1);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void whenAllIsSoldOutNoGroupIsLeft() {
    cloud.soldOut("near", "other", "far");
    String run = gang(2);
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertNothingIsLeft();
  }

  @Test
  void aDeleteThatIsRefusedBecauseMachinesAreLeavingIsRepeated() {
    scenario.applyFleet("pool", cluster(1));
    cloud.run();
    String machine = List.copyOf(cloud.machines.keySet()).getFirst();
    scenario.deleteFleet("pool");
    cloud.answer();
    assertNothingIsLeft();
    // The same, where the provider takes its time although it showed that the machine is gone.
    scenario.applyFleet("pool", cluster(1));
    cloud.run();
    String slow = List.copyOf(cloud.machines.keySet()).getFirst();
    assertThat(slow).isNotEqualTo(machine);
    scenario.tell(
        new Message.ResourceObserved(
            String.valueOf(cloud.machines.get(slow)), ResourceObservation.ABSENT));
    scenario.deleteFleet("pool");
    cloud.answer();
    assertThat(cloud.groups).hasSize(1);
    cloud.machines.remove(slow);
    scenario.pass(Duration.ofMinutes(1));
    cloud.answer();
    assertNothingIsLeft();
  }

  @Test
  void aGroupInDoubtThatWasMadeIsFoundAndUsed() {
    String run = gang(2);
    Action create = scenario.flying(run + "-f-g0");
    cloud.makeGroupSilently(create.resourceId());
    scenario.report(create, ActionOutcome.Failed.inDoubt("no answer", Cloud.VISIBLE));
    assertThat(unfinished()).extracting(Action::type).containsExactly(Action.Type.LOOK);
    scenario.pass(Cloud.VISIBLE);
    cloud.answer();
    cloud.observation(run + "-f-g0", ResourceObservation.State.READY);
    cloud.run();
    assertThat(cloud.groups).hasSize(1);
    assertThat(cloud.asked).containsExactly("near@eu-1", "near@eu-1");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void aGroupInDoubtThatWasNotMadeIsAskedForOnceMore() {
    String run = gang(2);
    scenario.report(
        scenario.flying(run + "-f-g0"), ActionOutcome.Failed.inDoubt("no answer", Cloud.VISIBLE));
    for (int look = 0; look < InDoubt.EMPTY_LOOKS; look++) {
      scenario.pass(Cloud.VISIBLE);
      cloud.run();
    }
    cloud.run();
    assertThat(cloud.asked).containsExactly("group@eu-1", "near@eu-1", "near@eu-1");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void aGroupInDoubtThatWasMadeTwiceIsKeptOnce() {
    String run = gang(2);
    Action create = scenario.flying(run + "-f-g0");
    cloud.makeGroupSilently(create.resourceId());
    cloud.makeGroupSilently(create.resourceId());
    scenario.report(create, ActionOutcome.Failed.inDoubt("no answer", Cloud.VISIBLE));
    scenario.pass(Cloud.VISIBLE);
    cloud.answer();
    assertThat(cloud.groups).hasSize(1);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PROVISIONING);
  }

  @Test
  void aRunThatIsStoppedWhileItsGroupIsMadeLeavesNothing() {
    String run = gang(2);
    Action create = scenario.flying(run + "-f-g0");
    scenario.stop("gang");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.memory.active(Instance.class)).isEmpty();
    assertThat(groups()).as("nobody knows yet").hasSize(1);
    cloud.carryOut(create);
    cloud.answer();
    assertThat(cloud.asked).containsExactly("group@eu-1");
    assertNothingIsLeft();
  }

  @Test
  void aRunThatIsStoppedWhileItsGroupIsInDoubtLeavesNothing() {
    String run = gang(2);
    Action create = scenario.flying(run + "-f-g0");
    cloud.makeGroupSilently(create.resourceId());
    scenario.report(create, ActionOutcome.Failed.inDoubt("no answer", Cloud.VISIBLE));
    scenario.stop("gang");
    scenario.pass(Cloud.VISIBLE);
    cloud.answer();
    assertNothingIsLeft();
  }

  @Test
  void aMachineInDoubtIsAskedForAgainInTheSameGroup() {
    scenario.applyFleet("pool", cluster(1));
    cloud.carryOut(unfinished().getFirst());
    Action create = unfinished().getFirst();
    MachineRequest.Group group = create.machine().orElseThrow().placementGroup();
    assertThat(group).isNotNull();
    scenario.report(create, ActionOutcome.Failed.inDoubt("no answer", Cloud.VISIBLE));
    for (int look = 0; look < InDoubt.EMPTY_LOOKS; look++) {
      scenario.pass(Cloud.VISIBLE);
      cloud.carryOut(unfinished().getFirst());
    }
    assertThat(unfinished().getFirst().machine().orElseThrow().placementGroup()).isEqualTo(group);
  }

  @Test
  void allMachinesOfAGroupAreInItsZone() {
    scenario.market = Offers.market(Offers.grouped("near", 1, "eu-1", "eu-1a", "eu-1b"));
    cloud.soldOut("near");
    String run = gang(2);
    cloud.answer();
    assertThat(cloud.asked)
        .filteredOn(word -> word.startsWith("group"))
        .containsExactly("group@eu-1a", "group@eu-1b");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertNothingIsLeft();
  }

  @Test
  void whoCannotHaveGroupsDoesWithout() {
    scenario.market = Offers.market(Offers.machine("plain", 1, "eu-1"));
    scenario.applyFleet("pool", cluster(2));
    cloud.run();
    assertThat(cloud.asked).containsExactly("plain@eu-1", "plain@eu-1");
  }

  @Test
  void machinesThatNeedNotBeNearHaveNoGroup() {
    scenario.submit("single");
    scenario.applyFleet("loose", Offers.fleet(1, 1, null));
    cloud.run();
    assertThat(cloud.asked).containsOnly("near@eu-1");
  }

  @Test
  void reservedMachinesAreInAGroupOnlyWhereThatIsPossible() {
    for (Candidate.PlacementGroups which : Candidate.PlacementGroups.values()) {
      Scenario own =
          Cloud.selling(
              Offers.offer(Offers.item("near", 1, "eu-1", false, 0), Offers.MACHINES.with(which)));
      TaskBuilder task = TaskBuilder.task().nodes(2);
      task.reservation = "cr-1";
      own.submit("gang", task);
      assertThat(own.memory.unfinishedActions())
          .extracting(Action::of)
          .contains(
              which == Candidate.PlacementGroups.ALL
                  ? ResourceType.PLACEMENT_GROUP
                  : ResourceType.INSTANCE);
    }
  }
}
