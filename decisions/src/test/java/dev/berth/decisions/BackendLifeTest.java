package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Instance;
import dev.berth.model.JobStatus;
import dev.berth.model.ResourceVector;
import dev.berth.model.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Backends that come and go. */
final class BackendLifeTest {
  private static final Instance SMALL =
      Machines.machine("m1", new ResourceVector(4, 4, 8_192, 20_000, Set.of()), List.of());
  private static final ActionOutcome PARKED = new ActionOutcome.Parked("waits for its plug-in");

  private static Reply remove(Scenario scenario) {
    return scenario.tell(new Message.BackendRemoved(SMALL.backend(), "ann"));
  }

  @Test
  void aBackendWithSomethingInUseCannotBeRemoved() {
    Scenario scenario = Scenario.with(SMALL);
    String run = scenario.running("hello");
    assertThat(remove(scenario))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(Reply.Code.NOT_FINISHED);
              assertThat(refused.message()).contains("1 resource in use; stop the runs on it");
            });
    scenario.observe(run, scenario.exited(0));
    assertThat(remove(scenario)).isEqualTo(new Reply.None());
    assertThat(scenario.memory.active(Instance.class)).isEmpty();
  }

  @Test
  void aRemovedMachineTakesNobodyAndComesBackWithItsBackend() {
    Scenario scenario = Scenario.with(SMALL);
    remove(scenario);
    String run = scenario.submit("hello");
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.SUBMITTED);
    scenario.tell(new Message.InstanceFound(SMALL));
    assertThat(scenario.attempt(run).instanceId()).isEqualTo("m1");
  }

  @Test
  void aMachineThatItsBackendDoesNotShowTakesNobodyUntilItIsThereAgain() {
    Scenario scenario = Scenario.with(SMALL);
    String before = scenario.running("before");
    Message.InventoryRead nothing = new Message.InventoryRead(SMALL.backend(), Set.of());
    scenario.tell(nothing);
    scenario.tell(nothing);
    assertThat(status(scenario)).isEqualTo(Instance.Status.UNREACHABLE);
    assertThat(scenario.eventsOf("m1")).containsOnlyOnce("instance.unreachable");
    String run = scenario.submit("hello");
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.SUBMITTED);
    assertThat(scenario.run(before).status()).isEqualTo(RunStatus.RUNNING);
    scenario.observe(before, scenario.exited(0));
    assertThat(status(scenario)).isEqualTo(Instance.Status.UNREACHABLE);
    scenario.tell(new Message.InstanceFound(SMALL));
    assertThat(scenario.attempt(run).instanceId()).isEqualTo("m1");
    assertThat(status(scenario)).isEqualTo(Instance.Status.BUSY);
  }

  @Test
  void machinesThatAreShownOrOfOthersStayAsTheyAre() {
    Scenario scenario = Scenario.with(SMALL);
    scenario.tell(new Message.InventoryRead(SMALL.backend(), Set.of("m1")));
    scenario.tell(new Message.InventoryRead("another", Set.of()));
    assertThat(status(scenario)).isEqualTo(Instance.Status.IDLE);
  }

  private static Instance.Status status(Scenario scenario) {
    return scenario.memory.find(Instance.class, "m1").orElseThrow().status();
  }

  @Test
  void actionsOfAMissingBackendAreParkedAndNotCounted() {
    Scenario scenario = Scenario.with(SMALL);
    String run = scenario.submit("hello");
    for (int i = 0; i < 20; i++) {
      Action start = scenario.actions(run).getFirst();
      scenario.tell(new Message.ActionReported(start.id(), PARKED));
      assertThat(scenario.actions(run).getFirst().attempts()).isEqualTo(1);
      assertThat(scenario.attempt(run).message()).isEqualTo("waits for its plug-in");
      scenario.later(Duration.ofMinutes(1));
      scenario.tellWhatIsDue();
      assertThat(scenario.inFlight(run)).containsExactly(Action.Type.START_JOB);
    }
    assertThat(scenario.eventsOf(scenario.attempt(run).id())).containsOnlyOnce("attempt.parked");
  }

  @Test
  void whatIsParkedGoesOnAsSoonAsItsBackendIsOpen() {
    Scenario scenario = Scenario.with(SMALL);
    String run = scenario.submit("hello");
    Action start = scenario.actions(run).getFirst();
    scenario.tell(new Message.ActionReported(start.id(), PARKED));
    scenario.tell(new Message.BackendOpened(SMALL.backend()));
    scenario.tellWhatIsDue();
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.START_JOB);
    scenario.startWorked(run);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.attempt(run).message()).isNull();
  }
}
