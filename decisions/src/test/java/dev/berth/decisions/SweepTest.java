package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.ResourceType;
import dev.berth.model.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is done about things that carry our mark and that nobody knows. */
final class SweepTest {
  private static final String STRANGER = "old-key~i-77";

  private final Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
  private final Cloud cloud = new Cloud(scenario);

  private static Message.Swept.Stranger machine(String key, String id) {
    return new Message.Swept.Stranger(ResourceType.INSTANCE, key, Cloud.ref(id));
  }

  private static Message.Swept.Stranger job(String key) {
    return new Message.Swept.Stranger(ResourceType.JOB, key, Cloud.ref(key));
  }

  private void sweep(Message.Swept.Stranger... strangers) {
    scenario.tell(new Message.Swept(Offers.BACKEND, List.of(strangers)));
  }

  private void assertNothingIsDeleted() {
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
  }

  @Test
  void aStrangerIsToldAndDeletedAfterAWhileAndASecondLook() {
    sweep(machine("old-key", "i-77"));
    assertThat(scenario.eventsOf(STRANGER)).containsExactly("resource.unknown");
    assertNothingIsDeleted();
    scenario.later(Duration.ofMinutes(5));
    sweep(machine("old-key", "i-77"));
    assertNothingIsDeleted();
    scenario.later(Sweep.GRACE.minusMinutes(5).minusSeconds(1));
    sweep(machine("old-key", "i-77"));
    assertNothingIsDeleted();
    scenario.later(Duration.ofSeconds(1));
    sweep(machine("old-key", "i-77"));
    Action delete = scenario.flying(STRANGER);
    assertThat(delete.operation())
        .isEqualTo(new Operation.Delete(ResourceType.INSTANCE, Cloud.ref("i-77")));
    assertThat(scenario.eventsOf(STRANGER)).containsExactly("resource.unknown", "resource.swept");
    cloud.answer();
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
  }

  @Test
  void oneSightingIsNotEnoughHoweverLongAgo() {
    sweep(machine("old-key", "i-77"));
    scenario.pass(Duration.ofDays(9));
    assertNothingIsDeleted();
    sweep(machine("old-key", "i-77"));
    assertThat(scenario.flying(STRANGER).type()).isEqualTo(Action.Type.DELETE);
  }

  @Test
  void whatIsInARegionThatWasNotSeenIsNotForgotten() {
    sweep(machine("old-key", "i-77"));
    scenario.later(Sweep.GRACE);
    scenario.tell(
        new Message.Swept(
            Offers.BACKEND,
            null,
            List.of(),
            List.of(),
            List.of(),
            Set.of(Cloud.ref("i").region())));
    assertNothingIsDeleted();
    assertThat(scenario.memory.active(Resource.class)).hasSize(1);
    sweep(machine("old-key", "i-77"));
    assertThat(scenario.flying(STRANGER).type()).isEqualTo(Action.Type.DELETE);
  }

  @Test
  void aStrangerThatIsGoneIsForgottenAndMetAnewWhereItComesBack() {
    sweep(machine("old-key", "i-77"));
    scenario.later(Sweep.GRACE);
    sweep();
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
    sweep(machine("old-key", "i-77"));
    assertNothingIsDeleted();
    scenario.later(Duration.ofMinutes(5));
    sweep(machine("old-key", "i-77"));
    assertNothingIsDeleted();
  }

  @Test
  void aLookAtAnotherBackendSaysNothing() {
    sweep(machine("old-key", "i-77"));
    scenario.tell(new Message.Swept("elsewhere", List.of()));
    assertThat(scenario.memory.active(Resource.class)).hasSize(1);
  }

  @Test
  void aStrangerIsDeletedUntilItIsGone() {
    sweep(machine("old-key", "i-77"));
    scenario.later(Sweep.GRACE);
    sweep(machine("old-key", "i-77"));
    for (int i = 0; i < 3; i++) {
      scenario.report(scenario.flying(STRANGER), new ActionOutcome.Done(scenario.now()));
      sweep(machine("old-key", "i-77"));
      assertThat(scenario.memory.active(Resource.class)).hasSize(1);
      scenario.pass(Duration.ofMinutes(10));
    }
    scenario.tell(
        new Message.ResourceObserved(
            scenario.memory.active(Resource.class).iterator().next().id(),
            ResourceObservation.ABSENT));
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
  }

  @Test
  void aStrangeJobIsRemovedByItsKey() {
    sweep(job("old-run-0-0-1"));
    assertThat(scenario.eventsOf("old-run-0-0-1~old-run-0-0-1")).contains("resource.unknown");
    scenario.later(Sweep.GRACE);
    sweep(job("old-run-0-0-1"));
    Action removal = scenario.flying("old-run-0-0-1");
    assertThat(removal.type()).isEqualTo(Action.Type.REMOVE_JOB);
    sweep(job("old-run-0-0-1"));
    cloud.answer();
    sweep();
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
  }

  @Test
  void anExtraOfAMachineThatWeHaveIsDeletedAtOnce() {
    String run = scenario.submit("hello");
    cloud.run();
    String key = scenario.machineOf(run, 0).id();
    sweep(machine(key, "i-99"));
    assertThat(scenario.flying(key + "~i-99").type()).isEqualTo(Action.Type.DELETE);
    cloud.answer();
    assertThat(cloud.machines).hasSize(1);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void anExtraOfAMachineWhoseDeleteIsLostIsDeletedAtOnce() {
    String run = scenario.submit("hello");
    cloud.run();
    String key = scenario.machineOf(run, 0).id();
    scenario.tell(
        new Message.ResourceObserved(
            key, new ResourceObservation(ResourceObservation.State.LEAVING, null, null, "")));
    sweep(machine(key, "i-99"));
    assertThat(scenario.flying(key + "~i-99").type()).isEqualTo(Action.Type.DELETE);
  }

  @Test
  void anExtraOfAMachineThatLeavesIsDeletedAtOnce() {
    String run = scenario.submit("hello");
    cloud.run();
    String key = scenario.machineOf(run, 0).id();
    scenario.exit(run, 0, 0);
    scenario.pass(Duration.ofMinutes(5));
    assertThat(scenario.flying(key).type()).isEqualTo(Action.Type.DELETE);
    sweep(machine(key, "i-99"));
    assertThat(scenario.flying(key + "~i-99").type()).isEqualTo(Action.Type.DELETE);
    cloud.answer();
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
  }

  @Test
  void nothingIsDoneAboutWhatIsBeingAskedForOrLookedFor() {
    String run = scenario.submit("hello");
    String key = scenario.machineOf(run, 0).id();
    sweep(machine(key, "i-1"));
    assertThat(scenario.memory.active(Resource.class)).hasSize(1);
    scenario.report(
        scenario.flying(key), ActionOutcome.Failed.inDoubt("no answer", Duration.ofHours(2)));
    sweep(machine(key, "i-1"));
    scenario.later(Sweep.GRACE);
    sweep(machine(key, "i-1"));
    assertThat(scenario.memory.active(Resource.class)).hasSize(1);
    assertThat(
            scenario
                .memory
                .unfinishedActions()
                .filter(action -> action.state() == Action.State.IN_FLIGHT))
        .isEmpty();
  }

  @Test
  void aJobThatWeHaveIsNeverSwept() {
    Scenario here = Scenario.with(Machines.large("m1"));
    String run = here.running("hello");
    String key = here.attempt(run).id();
    for (int i = 0; i < 3; i++) {
      here.tell(new Message.Swept(Machines.BACKEND, List.of(job(key))));
      here.later(Sweep.GRACE);
    }
    assertThat(here.memory.unfinishedActions()).isEmpty();
    assertThat(here.memory.active(Resource.class)).hasSize(1);
    assertThat(here.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void whatIsOfARunThatIsNotKnownAnyMoreIsAStranger() {
    String run = scenario.submit("hello");
    cloud.run();
    String key = scenario.machineOf(run, 0).id();
    cloud.take(key);
    sweep(machine(key, "i-1"));
    scenario.later(Sweep.GRACE);
    sweep(machine(key, "i-1"));
    assertThat(scenario.flying(key + "~i-1").type()).isEqualTo(Action.Type.DELETE);
  }
}
