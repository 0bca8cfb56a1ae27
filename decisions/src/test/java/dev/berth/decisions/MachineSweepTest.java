package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Boot;
import dev.berth.model.Candidate;
import dev.berth.model.MachineFacts;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceType;
import dev.berth.model.RunStatus;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that nobody needs on machines on which Berth runs the jobs. */
final class MachineSweepTest {
  private static final String OLD = "old-run-0-0-1";

  private final Scenario scenario =
      Cloud.selling(
          Offers.offer(
              Offers.item("fair", 1, "eu-1", false, 0),
              Offers.MACHINES.with(Candidate.Execution.PROCESSES, Boot.NONE)));
  private final Cloud cloud = new Cloud(scenario);
  private String run;
  private String machine;

  @BeforeEach
  void start() {
    run = scenario.submit("hello", TaskBuilder.task());
    cloud.answer();
    cloud.boot();
    machine = scenario.machineOf(run, 0).id();
    scenario.tell(new Message.Equipped(machine, MachineFacts.AS_OFFERED));
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  private static Message.Swept.Stranger job(String key) {
    return new Message.Swept.Stranger(ResourceType.JOB, key, Cloud.ref(key));
  }

  private void sweepMachine(Message.Swept.Stranger... strangers) {
    scenario.tell(new Message.Swept(Offers.BACKEND, machine, List.of(strangers), List.of()));
  }

  private void sweepBackend() {
    scenario.tell(new Message.Swept(Offers.BACKEND, List.of()));
  }

  private List<Resource> unowned() {
    return scenario.memory.active(Resource.class).stream()
        .filter(resource -> resource.ownerId().isEmpty())
        .toList();
  }

  @Test
  void aStrangeJobIsRemovedFromItsMachine() {
    sweepMachine(job(OLD));
    assertThat(scenario.eventsOf(OLD + "~" + OLD)).containsExactly("resource.unknown");
    assertThat(unowned()).extracting(Resource::machineId).containsExactly(machine);
    scenario.later(Sweep.GRACE);
    sweepBackend();
    assertThat(unowned()).as("a look at the backend says nothing").hasSize(1);
    sweepMachine(job(OLD));
    Action removal = scenario.flying(OLD);
    assertThat(removal.type()).isEqualTo(Action.Type.REMOVE_JOB);
    assertThat(removal.machineId()).isEqualTo(machine);
    scenario.report(removal, new ActionOutcome.Done(scenario.now()));
    sweepMachine();
    assertThat(unowned()).isEmpty();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void aJobWhoseAttemptEndedIsKilledOnItsMachine() {
    scenario.tell(new Message.Swept(Offers.BACKEND, machine, List.of(), List.of(OLD)));
    Action kill = scenario.flying(OLD + "~extra");
    assertThat(kill.type()).isEqualTo(Action.Type.KILL_JOB);
    assertThat(kill.machineId()).isEqualTo(machine);
    scenario.report(kill, new ActionOutcome.Done(scenario.now()));
    assertThat(unowned()).isEmpty();
  }

  @Test
  void whatRunsOnAMachineIsGoneWithIt() {
    sweepMachine(job(OLD));
    cloud.observation(machine, ResourceObservation.State.ABSENT);
    sweepBackend();
    assertThat(unowned()).isEmpty();
    sweepMachine(job(OLD));
    assertThat(unowned()).as("late word").isEmpty();
    scenario.pass(Duration.ofDays(1));
    assertThat(
            scenario.memory.unfinishedActions().filter(action -> action.resourceId().equals(OLD)))
        .isEmpty();
  }
}
