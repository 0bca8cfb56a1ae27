package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.ResourceVector;
import dev.berth.model.Run;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who is placed before whom. */
final class LineTest {
  private static final Duration SHORT = Duration.ofMinutes(10);
  private static final Duration LONG = Duration.ofHours(1);

  private static Instance machine(String id, int cpus) {
    return Machines.machine(id, new ResourceVector(8, cpus, 65_536, 500_000, Set.of()), List.of());
  }

  private static boolean waits(Scenario scenario, String run) {
    return scenario.attempt(run).status() == JobStatus.SUBMITTED;
  }

  private static TaskBuilder cpus(int count) {
    return TaskBuilder.task().cpus(count).endedAtOnce();
  }

  @Test
  void equalRunsStartInTheOrderInWhichTheyCame() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 3));
    List<String> submitted = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      submitted.add(scenario.submit("run-" + i));
      scenario.later(Duration.ofMillis(i % 3));
    }
    List<String> started = new ArrayList<>();
    while (!scenario.memory.active(Run.class).isEmpty()) {
      new Cloud(scenario).answer();
      for (Attempt attempt : scenario.memory.active(Attempt.class)) {
        if (attempt.status() == JobStatus.RUNNING && !started.contains(attempt.runId())) {
          started.add(attempt.runId());
        }
      }
      String oldest = scenario.memory.active(Run.class).iterator().next().id();
      scenario.exit(oldest, 0, 0);
    }
    assertThat(started).isEqualTo(submitted);
  }

  @Test
  void theHigherPriorityComesFirst() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 1));
    String busy = scenario.running("busy");
    String low = scenario.submit("low");
    String high = scenario.submit("high", TaskBuilder.task().priority(50));
    String highest = scenario.submit("highest", TaskBuilder.task().priority(100));
    String second = scenario.submit("second", TaskBuilder.task().priority(50));
    String before = busy;
    for (String expected : List.of(highest, high, second, low)) {
      scenario.exit(before, 0, 0);
      assertThat(scenario.attempt(expected).status()).isEqualTo(JobStatus.PROVISIONING);
      new Cloud(scenario).answer();
      before = expected;
    }
  }

  @Test
  void whoIsGivenAnotherPriorityChangesItsPlaceInTheLine() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 1));
    String busy = scenario.running("busy");
    String first = scenario.submit("first");
    String second = scenario.submit("second");
    Reply reply = scenario.tell(new Message.Prioritise(Scenario.PROJECT, "second", 7, "ann"));
    assertThat(reply).isEqualTo(new Reply.Accepted(second, "second"));
    assertThat(scenario.run(second).policy().priority()).isEqualTo(7);
    scenario.exit(busy, 0, 0);
    assertThat(waits(scenario, first)).isTrue();
    assertThat(waits(scenario, second)).isFalse();
    assertThat(scenario.tell(new Message.Prioritise(Scenario.PROJECT, "nobody", 7, "ann")))
        .isInstanceOf(Reply.Refused.class);
  }

  @Test
  void aPriorityHoldsForReplicasThatAreMadeLater() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 1));
    String many = scenario.submit("many", TaskBuilder.task(), Replicas.MOST_AT_ONCE + 5);
    scenario.tell(new Message.Prioritise(Scenario.PROJECT, "many", 9, "ann"));
    new Cloud(scenario).answer();
    scenario.exit(many, 0, 0);
    assertThat(scenario.memory.children(Placement.class, many))
        .hasSize(Replicas.MOST_AT_ONCE)
        .allMatch(placement -> placement.priority() == 9);
  }

  @Test
  void whoIsSureToBeDoneInTimePassesWhoWaitsForMore() {
    Scenario scenario = Scenario.with(machine("m1", 4));
    String busy = scenario.submit("busy", cpus(2).lasting(LONG));
    scenario.startWorked(busy);
    String large = scenario.submit("large", cpus(4));
    String quick = scenario.submit("quick", cpus(2).lasting(SHORT));
    assertThat(waits(scenario, large)).isTrue();
    assertThat(waits(scenario, quick)).as("it ends before the busy one must").isFalse();
  }

  @Test
  void nobodyPassesWhoCouldDelayTheOneInFront() {
    Scenario scenario = Scenario.with(machine("m1", 4));
    String busy = scenario.submit("busy", cpus(2).lasting(SHORT));
    scenario.startWorked(busy);
    String large = scenario.submit("large", cpus(4));
    assertThat(waits(scenario, large)).isTrue();
    assertThat(waits(scenario, scenario.submit("slow", cpus(2).lasting(LONG)))).isTrue();
    assertThat(waits(scenario, scenario.submit("endless", cpus(2)))).isTrue();
    scenario.exit(busy, 0, 0);
    assertThat(waits(scenario, large)).isFalse();
  }

  @Test
  void theTimeThatAStopMayTakeCounts() {
    Scenario scenario = Scenario.with(machine("m1", 4));
    String busy = scenario.submit("busy", cpus(2).lasting(LONG));
    scenario.startWorked(busy);
    scenario.submit("large", cpus(4));
    TaskBuilder slowToEnd = TaskBuilder.task().cpus(2).lasting(LONG.minusMinutes(1));
    assertThat(waits(scenario, scenario.submit("slow-to-end", slowToEnd))).isTrue();
  }

  @Test
  void whoEndsFirstDecidesWhenTheOneInFrontCanStart() {
    Scenario scenario = Scenario.with(machine("m1", 4));
    String brief = scenario.submit("brief", cpus(1).lasting(SHORT));
    String busy = scenario.submit("busy", cpus(2).lasting(LONG));
    scenario.startWorked(brief);
    scenario.startWorked(busy);
    String front = scenario.submit("front", cpus(2));
    String between = scenario.submit("between", cpus(1).lasting(SHORT.plusMinutes(5)));
    assertThat(waits(scenario, between)).as("when the brief one ends, there is room").isTrue();
    scenario.exit(brief, 0, 0);
    assertThat(waits(scenario, front)).isFalse();
  }

  @Test
  void aWaitingGangReservesTheMachinesThatItNeeds() {
    Scenario scenario = Scenario.with(machine("m1", 4), machine("m2", 4), machine("m3", 4));
    String first = scenario.submit("first", cpus(4).lasting(SHORT));
    String second = scenario.submit("second", cpus(4).lasting(LONG));
    scenario.startWorked(first);
    scenario.startWorked(second);
    String gang = scenario.submit("gang", cpus(4).nodes(2));
    assertThat(waits(scenario, gang)).isTrue();
    String slow = scenario.submit("slow", cpus(4).lasting(LONG));
    assertThat(waits(scenario, slow)).as("it would delay the gang").isTrue();
    String quick = scenario.submit("quick", cpus(4).lasting(SHORT.minusMinutes(1)));
    assertThat(waits(scenario, quick)).as("it is done before the gang can start").isFalse();
    scenario.exit(first, 0, 0);
    scenario.startWorked(quick);
    assertThat(waits(scenario, gang)).isTrue();
    scenario.exit(quick, 0, 0);
    assertThat(scenario.attempt(gang, 0).instanceId())
        .isNotEqualTo(scenario.attempt(gang, 1).instanceId());
    assertThat(waits(scenario, gang)).isFalse();
    assertThat(waits(scenario, slow)).isTrue();
  }

  @Test
  void whoWaitsForWhatOnlyItsProjectHasDelaysNobodyElse() {
    Scenario scenario = Cloud.selling(Offers.machine("large", 1));
    Cloud cloud = new Cloud(scenario);
    scenario.applyFleet("full", Offers.fleet(0, 0, 1));
    scenario.submit("first");
    cloud.run();
    scenario.submit("second");
    Message.Submit other = scenario.submissionElsewhere("third", TaskBuilder.task());
    scenario.tell(other);
    cloud.run();
    assertThat(scenario.attempt(other.runId()).status()).isEqualTo(JobStatus.RUNNING);
  }
}
