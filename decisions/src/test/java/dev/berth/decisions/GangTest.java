package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.JobSpec;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.RunStatus;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import dev.berth.model.offers.CatalogItem;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tasks of several nodes: all of them have a place, or none does. */
final class GangTest {
  private final Scenario scenario =
      Cloud.selling(
          Offers.machine("near", 1, "eu-1"),
          Offers.machine("far", 2, "us-1"),
          Offers.machine("farthest", 5, "us-1"));
  private final Cloud cloud = new Cloud(scenario);

  private JobSpec started(String run, int rank) {
    return scenario.memory.actions().stream()
        .filter(action -> action.type() == Action.Type.START_JOB)
        .filter(action -> action.resourceId().equals(scenario.attempt(run, rank).id()))
        .map(action -> action.job().orElseThrow().spec())
        .findFirst()
        .orElseThrow();
  }

  private boolean isAsked(String run, int rank) {
    return scenario.memory.find(Resource.class, scenario.attempt(run, rank).id()).isPresent();
  }

  private void works(String run, int rank) {
    scenario.report(
        scenario.flying(scenario.attempt(run, rank).id()), new ActionOutcome.Done(scenario.now()));
  }

  private void ready(String run, int rank) {
    cloud.observation(scenario.machineOf(run, rank).id(), ResourceObservation.State.READY);
  }

  @Test
  void nobodyStartsBeforeAllMachinesAreReady() {
    String run = scenario.submit("gang", TaskBuilder.task().nodes(3));
    cloud.answer();
    ready(run, 0);
    ready(run, 2);
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
    ready(run, 1);
    assertThat(scenario.memory.unfinishedActions())
        .extracting(Action::type)
        .containsExactly(Action.Type.START_JOB, Action.Type.START_JOB, Action.Type.START_JOB);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PROVISIONING);
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    for (int rank = 0; rank < 3; rank++) {
      scenario.exit(run, rank, 0);
    }
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void allNodesAreInOneRegion() {
    cloud.soldOut("near");
    String run = scenario.submit("gang", TaskBuilder.task().nodes(2));
    cloud.run();
    assertThat(scenario.machineOf(run, 0).region()).isEqualTo("us-1");
    assertThat(scenario.machineOf(run, 1).region()).isEqualTo("us-1");
  }

  @Test
  void whereOneMemberIsSoldOutTheOthersAreDeletedBeforeAnotherRegionIsTried() {
    String run = scenario.submit("gang", TaskBuilder.task().nodes(3));
    String made = scenario.machineOf(run, 0).id();
    String boots = scenario.machineOf(run, 2).id();
    cloud.carryOut(scenario.flying(made));
    cloud.carryOut(scenario.flying(boots));
    cloud.observation(made, ResourceObservation.State.READY);
    scenario.report(
        scenario.flying(scenario.machineOf(run, 1).id()), ActionOutcome.Failed.soldOut("sold out"));
    assertThat(scenario.run(run).status()).as("nothing runs").isEqualTo(RunStatus.PROVISIONING);
    assertThat(scenario.flying(made).type()).isEqualTo(Action.Type.DELETE);
    assertThat(scenario.flying(boots).type()).isEqualTo(Action.Type.DELETE);
    assertThat(scenario.attempts(run, 0)).as("not before all are gone").hasSize(1);
    cloud.carryOut(scenario.flying(boots));
    assertThat(scenario.attempts(run, 0)).as("not before all are gone").hasSize(1);
    cloud.carryOut(scenario.flying(made));
    assertThat(scenario.attempts(run, 0)).hasSize(2);
    cloud.run();
    assertThat(cloud.asked).endsWith("far@us-1", "far@us-1", "far@us-1");
    assertThat(cloud.machines).hasSize(3);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void aMemberThatIsNotReadyInTimeBringsAllToAnotherPlace() {
    String run = scenario.submit("gang", TaskBuilder.task().nodes(2));
    cloud.answer();
    ready(run, 0);
    scenario.pass(Duration.ofMinutes(10));
    cloud.run();
    assertThat(cloud.asked).endsWith("far@us-1", "far@us-1");
    assertThat(cloud.machines).hasSize(2);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void whereNoRegionHasRoomForAllItIsOverAndNothingIsLeft() {
    cloud.soldOut("eu-1", "us-1");
    String run = scenario.submit("gang", TaskBuilder.task().nodes(2));
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
    assertThat(scenario.memory.active(Fleet.class)).isEmpty();
    assertThat(cloud.machines).isEmpty();
  }

  @Test
  void gangsOfOwnMachinesAreAllOrNothing() {
    Scenario own = Scenario.with(Machines.withSlots("m1", 1), Machines.withSlots("m2", 1));
    String single = own.running("single");
    String gang = own.submit("gang", TaskBuilder.task().nodes(2));
    assertThat(own.memory.active(Resource.class)).hasSize(1);
    own.exit(single, 0, 0);
    assertThat(own.attempt(gang, 0).instanceId()).isEqualTo("m1");
    assertThat(own.attempt(gang, 1).instanceId()).isEqualTo("m2");
  }

  @Test
  void theMasterMayStartFirst() {
    TaskBuilder task = TaskBuilder.task().nodes(3);
    task.startupOrder = StartupOrder.MASTER_FIRST;
    String run = scenario.submit("gang", task);
    cloud.answer();
    cloud.boot();
    assertThat(isAsked(run, 0)).isTrue();
    assertThat(isAsked(run, 1)).isFalse();
    works(run, 0);
    assertThat(isAsked(run, 1)).isTrue();
    assertThat(isAsked(run, 2)).isTrue();
  }

  @Test
  void aMasterThatIsDoneBeforeItsStartIsReportedLetsTheOthersStart() {
    TaskBuilder task = TaskBuilder.task().nodes(2);
    task.startupOrder = StartupOrder.MASTER_FIRST;
    String run = scenario.submit("gang", task);
    cloud.answer();
    cloud.boot();
    scenario.exit(run, 0, 0);
    assertThat(isAsked(run, 1)).isTrue();
    cloud.answer();
    scenario.exit(run, 1, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void theWorkersMayStartFirst() {
    TaskBuilder task = TaskBuilder.task().nodes(3);
    task.startupOrder = StartupOrder.WORKERS_FIRST;
    String run = scenario.submit("gang", task);
    cloud.answer();
    cloud.boot();
    assertThat(isAsked(run, 0)).isFalse();
    works(run, 1);
    assertThat(isAsked(run, 0)).isFalse();
    works(run, 2);
    assertThat(isAsked(run, 0)).isTrue();
  }

  @Test
  void nodesReachEachOtherByTheirPrivateAddresses() {
    cloud.hasPrivateAddresses = true;
    String run = scenario.submit("gang", TaskBuilder.task().nodes(2));
    cloud.answer();
    cloud.boot();
    assertThat(started(run, 1).environment())
        .containsEntry("BERTH_NODES_IPS", "172.16.0.1\n172.16.0.2")
        .containsEntry("BERTH_MASTER_NODE_IP", "172.16.0.1");
  }

  @Test
  void aWorkerThatIsDoneBeforeTheLastOneStartsDoesNotStopTheMaster() {
    TaskBuilder task = TaskBuilder.task().nodes(3);
    task.startupOrder = StartupOrder.WORKERS_FIRST;
    String run = scenario.submit("gang", task);
    cloud.answer();
    cloud.boot();
    works(run, 1);
    scenario.exit(run, 1, 0);
    works(run, 2);
    assertThat(isAsked(run, 0)).isTrue();
    assertThat(started(run, 0).environment())
        .containsEntry("BERTH_NODES_IPS", "10.0.0.1\n10.0.0.2\n10.0.0.3");
    works(run, 0);
    scenario.exit(run, 0, 0);
    scenario.exit(run, 2, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void whenTheMasterIsDoneTheOthersAreStoppedInOrderIfThatIsTheCriterion() {
    TaskBuilder task = TaskBuilder.task().nodes(2);
    task.stopCriteria = StopCriteria.MASTER_DONE;
    String run = scenario.submit("gang", task);
    cloud.run();
    scenario.exit(run, 0, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATING);
    Action stop = scenario.flying(scenario.attempt(run, 1).id());
    assertThat(stop.operation()).isEqualTo(new Operation.StopJob(TaskBuilder.STOP_DURATION));
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    assertThat(scenario.attempt(run, 1).status()).isEqualTo(JobStatus.DONE);
  }

  @Test
  void aMasterThatIsDoneEndsItsOwnReplicaOnly() {
    Scenario own = Scenario.with(Machines.large("m1"), Machines.large("m2"));
    TaskBuilder task = TaskBuilder.task().nodes(2);
    task.stopCriteria = StopCriteria.MASTER_DONE;
    String run = own.submit("gang", task, 2);
    Cloud here = new Cloud(own);
    here.answer();
    own.tell(new Message.Observed(run + "-0-0-1", own.exited(0)));
    here.answer();
    assertThat(own.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(own.memory.active(Attempt.class))
        .hasSize(2)
        .allMatch(one -> one.id().startsWith(run + "-1-"));
    own.tell(new Message.Observed(run + "-1-0-1", own.exited(0)));
    here.answer();
    assertThat(own.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void withoutACriterionTheMastersEndIsNotTheEnd() {
    String run = scenario.submit("gang", TaskBuilder.task().nodes(2));
    cloud.run();
    scenario.exit(run, 0, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    scenario.exit(run, 1, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void oneFailureStopsTheOthersInOrder() {
    String run = scenario.submit("gang", TaskBuilder.task().nodes(2));
    cloud.run();
    scenario.exit(run, 1, 7);
    Action stop = scenario.flying(scenario.attempt(run, 0).id());
    assertThat(stop.operation()).isEqualTo(new Operation.StopJob(TaskBuilder.STOP_DURATION));
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).exitCode()).isEqualTo(7);
  }

  @Test
  void aReplicaIsRetriedAsAWholeAlsoThoseThatWereDone() {
    String run =
        scenario.submit(
            "gang", TaskBuilder.task().nodes(3).retrying(Duration.ofDays(1), RetryEvent.ERROR));
    cloud.run();
    scenario.exit(run, 2, 0);
    scenario.exit(run, 1, 1);
    assertThat(scenario.flying(scenario.attempt(run, 0).id()).type())
        .isEqualTo(Action.Type.STOP_JOB);
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    scenario.pass(Duration.ofSeconds(15));
    cloud.run();
    for (int rank = 0; rank < 3; rank++) {
      assertThat(scenario.attempt(run, rank).number()).isEqualTo(2);
      assertThat(scenario.attempt(run, rank).status()).isEqualTo(JobStatus.RUNNING);
    }
    assertThat(cloud.machines).as("the machines that were there are used again").hasSize(3);
  }

  @Test
  void everyNodeKnowsTheAddressesOfAll() {
    TaskBuilder task = TaskBuilder.task().nodes(2);
    task.commands = List.of("join ${{ groups[0].nodes[1].IP_ADDRESS }} $$HOME");
    String run = scenario.submit("gang", task);
    cloud.run();
    for (int rank = 0; rank < 2; rank++) {
      assertThat(started(run, rank).environment())
          .containsEntry("BERTH_NODES_IPS", "10.0.0.1\n10.0.0.2")
          .containsEntry("DSTACK_NODES_IPS", "10.0.0.1\n10.0.0.2")
          .containsEntry("BERTH_MASTER_NODE_IP", "10.0.0.1")
          .containsEntry("BERTH_NODE_RANK", String.valueOf(rank))
          .containsEntry("BERTH_NODES_NUM", "2");
      assertThat(started(run, rank).commands()).containsExactly("join 10.0.0.2 $$HOME");
    }
  }

  private static NodeGroup group(String name, int nodes, int cpus, String command) {
    return new NodeGroup(
        name,
        nodes,
        new ResourcesSpec(new CpuSpec(null, Range.exactly(cpus)), null, null, null, null),
        List.of(command),
        List.of());
  }

  @Test
  void groupsOfNodesHaveTheirOwnMachinesCommandsAndAddresses() {
    TaskBuilder task = TaskBuilder.task();
    task.groups =
        List.of(
            group("head", 1, 8, "lead ${{ groups[1].nodes[1].IP_ADDRESS }}"),
            group("hands", 2, 16, "follow ${{groups[0].nodes[0].IP_ADDRESS}}"));
    scenario.market =
        Offers.market(
            Offers.machine("sixteen", 4, "eu-1"),
            Offers.offer(
                new CatalogItem(
                    "cloud",
                    "eight",
                    "eu-1",
                    null,
                    1,
                    8,
                    CpuArchitecture.X86,
                    32_768,
                    null,
                    204_800L,
                    false,
                    List.of(),
                    "{}",
                    List.of()),
                Offers.MACHINES));
    String run = scenario.submit("gang", task);
    cloud.run();
    assertThat(cloud.asked).containsExactly("eight@eu-1", "sixteen@eu-1", "sixteen@eu-1");
    assertThat(started(run, 0).commands()).containsExactly("lead 10.0.0.3");
    assertThat(started(run, 1).commands()).containsExactly("follow 10.0.0.1");
    assertThat(started(run, 2).commands()).containsExactly("follow 10.0.0.1");
    assertThat(started(run, 2).environment()).containsEntry("BERTH_NODE_RANK", "2");
  }

  @Test
  void aGroupOfOneNodeKnowsItsOwnAddress() {
    TaskBuilder task = TaskBuilder.task();
    task.groups = List.of(group("alone", 1, 16, "me ${{ groups[0].nodes[0].IP_ADDRESS }}"));
    String run = scenario.submit("gang", task);
    cloud.run();
    assertThat(started(run, 0).commands()).containsExactly("me 10.0.0.1");
  }

  @Test
  void groupsReserveOnOwnMachinesOnlyWhatIsWritten() {
    Scenario own = Scenario.with(Machines.large("m1"), Machines.large("m2"));
    TaskBuilder task = TaskBuilder.task();
    task.groups = List.of(group("a", 1, 99, "true"), group("b", 1, 99, "true"));
    String run = own.submit("gang", task);
    assertThat(own.attempt(run, 0).status())
        .as("the processors are a default, not what the file says")
        .isEqualTo(JobStatus.PROVISIONING);
  }

  @Test
  void stoppingAGangEndsAllAndKeepsTheMachinesForAWhile() {
    String run = scenario.submit("gang", TaskBuilder.task().nodes(2));
    cloud.run();
    scenario.stop("gang");
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.memory.active(Instance.class))
        .allMatch(machine -> machine.status() == Instance.Status.IDLE);
    scenario.pass(Duration.ofMinutes(5));
    cloud.answer();
    assertThat(cloud.machines).isEmpty();
    assertThat(Objects.requireNonNull(scenario.run(run).finishedAt())).isBefore(scenario.now());
  }
}
