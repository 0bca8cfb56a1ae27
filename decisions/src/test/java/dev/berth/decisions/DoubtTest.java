package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.model.RunStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Answers that were lost where asking again would make a second one: nothing is asked again before
 * it was looked, late enough and twice.
 */
final class DoubtTest {
  private static final Duration LOOK_AFTER = Duration.ofMinutes(4);

  private final Scenario scenario =
      Cloud.selling(Offers.machine("fair", 1), Offers.machine("dear", 4));
  private final Cloud cloud = new Cloud(scenario);

  private void lose(String resource) {
    scenario.report(
        scenario.flying(resource), ActionOutcome.Failed.inDoubt("no answer", LOOK_AFTER));
    assertThat(scenario.memory.find(Resource.class, resource).orElseThrow().phase())
        .isEqualTo(Resource.State.IN_DOUBT);
  }

  /** A run whose machine may have been made. */
  private String machineInDoubt() {
    String run = scenario.submit("hello");
    lose(scenario.machineOf(run, 0).id());
    return run;
  }

  /** A run whose job was bought and may have been started. */
  private String jobInDoubt() {
    scenario.market = Offers.market(Offers.container("box", 1));
    String run = scenario.submit("hello");
    lose(scenario.attempt(run).id());
    return run;
  }

  private void look(String resource, String... found) {
    Action look = scenario.flying(resource);
    assertThat(look.type()).isEqualTo(Action.Type.LOOK);
    List<Resource.Ref> refs = List.of(found).stream().map(Cloud::ref).toList();
    scenario.report(look, new ActionOutcome.Looked(refs, Cloud.VISIBLE));
  }

  private void assertNothingIsAskedFor() {
    assertThat(
            scenario
                .memory
                .unfinishedActions()
                .filter(action -> action.state() == Action.State.IN_FLIGHT))
        .isEmpty();
  }

  @Test
  void nothingIsAskedBeforeTheTime() {
    String run = machineInDoubt();
    scenario.pass(LOOK_AFTER.minusMillis(1));
    assertNothingIsAskedFor();
    scenario.pass(Duration.ofMillis(1));
    assertThat(scenario.flying(scenario.machineOf(run, 0).id()).type()).isEqualTo(Action.Type.LOOK);
  }

  @Test
  void twoEmptyLooksAndThenTheSameIsAskedOnceMore() {
    String run = machineInDoubt();
    String machine = scenario.machineOf(run, 0).id();
    scenario.pass(LOOK_AFTER);
    look(machine);
    assertNothingIsAskedFor();
    scenario.pass(Cloud.VISIBLE.minusMillis(1));
    assertNothingIsAskedFor();
    scenario.pass(Duration.ofMillis(1));
    look(machine);
    Action again = scenario.flying(machine);
    assertThat(again.type()).isEqualTo(Action.Type.CREATE);
    assertThat(again.machine().orElseThrow().place().instanceType()).isEqualTo("fair");
    cloud.run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(cloud.machines).hasSize(1);
  }

  @Test
  void aLookThatFailsIsNoEmptyLook() {
    String run = machineInDoubt();
    String machine = scenario.machineOf(run, 0).id();
    scenario.pass(LOOK_AFTER);
    look(machine);
    for (int i = 0; i < 5; i++) {
      scenario.pass(Duration.ofMinutes(10));
      scenario.report(scenario.flying(machine), new ActionOutcome.Failed("busy", i % 2 == 0));
      assertNothingIsAskedFor();
    }
    scenario.pass(Duration.ofMinutes(10));
    look(machine, "i-9");
    assertThat(scenario.memory.find(Resource.class, machine).orElseThrow().ref())
        .isEqualTo(Cloud.ref("i-9"));
  }

  @Test
  void aMachineThatIsFoundIsKept() {
    String run = machineInDoubt();
    String machine = scenario.machineOf(run, 0).id();
    String id = cloud.makeSilently(machine);
    scenario.pass(LOOK_AFTER);
    cloud.run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.memory.find(Resource.class, machine).orElseThrow().ref())
        .isEqualTo(Cloud.ref(id));
    assertThat(cloud.machines).hasSize(1);
  }

  @Test
  void ofTwoMachinesOneIsKeptAndTheOtherDeleted() {
    String run = machineInDoubt();
    String machine = scenario.machineOf(run, 0).id();
    String kept = cloud.makeSilently(machine);
    String extra = cloud.makeSilently(machine);
    scenario.pass(LOOK_AFTER);
    cloud.carryOut(scenario.flying(machine));
    Action delete = scenario.flying(machine + "~" + extra);
    assertThat(delete.operation())
        .isEqualTo(new Operation.Delete(ResourceType.INSTANCE, Cloud.ref(extra)));
    assertThat(scenario.eventsOf(machine + "~" + extra)).contains("resource.extra");
    cloud.run();
    assertThat(cloud.machines.keySet()).containsExactly(kept);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.memory.active(Resource.class)).hasSize(2);
  }

  @Test
  void anExtraThatShowsOnceMoreAfterItWentIsDeletedOnceMore() {
    String run = machineInDoubt();
    String machine = scenario.machineOf(run, 0).id();
    cloud.makeSilently(machine);
    String extra = cloud.makeSilently(machine);
    scenario.pass(LOOK_AFTER);
    cloud.run();
    scenario.tell(
        new Message.Swept(
            Offers.BACKEND,
            List.of(new Message.Swept.Stranger(ResourceType.INSTANCE, machine, Cloud.ref(extra)))));
    assertThat(scenario.flying(machine + "~" + extra).type()).isEqualTo(Action.Type.DELETE);
  }

  @Test
  void stoppingInDoubtDeletesWhatIsFound() {
    String run = machineInDoubt();
    String machine = scenario.machineOf(run, 0).id();
    cloud.makeSilently(machine);
    scenario.stop("hello");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertNothingIsAskedFor();
    assertThat(scenario.machine(machine).active()).as("nobody knows yet").isTrue();
    scenario.pass(LOOK_AFTER);
    cloud.answer();
    assertThat(cloud.machines).isEmpty();
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
    assertThat(scenario.memory.active(Instance.class)).isEmpty();
  }

  @Test
  void stoppingInDoubtAsksForNothingWhereNothingIsFound() {
    String run = machineInDoubt();
    String machine = scenario.machineOf(run, 0).id();
    scenario.stop("hello");
    scenario.pass(LOOK_AFTER);
    look(machine);
    assertThat(scenario.machine(machine).active()).as("one look is not enough").isTrue();
    scenario.pass(Cloud.VISIBLE);
    look(machine);
    assertNothingIsAskedFor();
    assertThat(scenario.machine(machine).active()).isFalse();
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
    assertThat(scenario.run(run).active()).isFalse();
  }

  @Test
  void whatIsInDoubtForTooLongIsStillLookedForBeforeTheNextOffer() {
    String run = machineInDoubt();
    String machine = scenario.machineOf(run, 0).id();
    cloud.makeSilently(machine);
    scenario.later(Duration.ofMinutes(11));
    scenario.tell(new Message.Due(scenario.machine(machine).kind(), machine));
    assertThat(scenario.machine(machine).status()).isEqualTo(Instance.Status.TERMINATING);
    assertThat(scenario.attempts(run, 0)).as("not before the first is gone").hasSize(1);
    scenario.tellWhatIsDue();
    cloud.run();
    cloud.run();
    assertThat(cloud.machines.values()).containsExactly(scenario.machineOf(run, 0).id());
    assertThat(scenario.machineOf(run, 0).id()).isNotEqualTo(machine);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void aBackendThatOpensDoesNotShortenADoubt() {
    String run = machineInDoubt();
    scenario.pass(Duration.ofMinutes(1));
    scenario.tell(new Message.BackendOpened(Offers.BACKEND));
    scenario.tellWhatIsDue();
    assertNothingIsAskedFor();
    scenario.pass(LOOK_AFTER.minusMinutes(1));
    assertThat(scenario.flying(scenario.machineOf(run, 0).id()).type()).isEqualTo(Action.Type.LOOK);
  }

  @Test
  void aJobThatIsFoundOnceIsKept() {
    String run = jobInDoubt();
    scenario.pass(LOOK_AFTER);
    look(scenario.attempt(run).id(), "job-1");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    scenario.exit(run, 0, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void aJobThatWasNeverStartedIsStartedUnderItsKey() {
    String run = jobInDoubt();
    String attempt = scenario.attempt(run).id();
    scenario.pass(LOOK_AFTER);
    look(attempt);
    scenario.pass(Cloud.VISIBLE);
    look(attempt);
    assertThat(scenario.flying(attempt).type()).isEqualTo(Action.Type.START_JOB);
    cloud.answer();
    assertThat(scenario.attempt(run).number()).isEqualTo(1);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void aJobThatWasStartedTwiceIsEndedAndStartedAnewUnderAnotherKey() {
    String run = jobInDoubt();
    String first = scenario.attempt(run).id();
    scenario.pass(LOOK_AFTER);
    look(first, "job-1", "job-2");
    assertThat(scenario.flying(first).type()).isEqualTo(Action.Type.KILL_JOB);
    assertThat(scenario.attempts(run, 0)).as("not before both are ended").hasSize(1);
    cloud.answer();
    assertThat(scenario.attempt(run).id()).isNotEqualTo(first);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.RUNNING);
    assertThat(scenario.attempts(run, 0).getFirst().message()).contains("started it 2 times");
    scenario.exit(run, 0, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void stoppingAJobInDoubtEndsWhatIsFoundInOrder() {
    String run = jobInDoubt();
    String attempt = scenario.attempt(run).id();
    scenario.stop("hello");
    assertNothingIsAskedFor();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATING);
    scenario.pass(LOOK_AFTER);
    look(attempt, "job-1");
    assertThat(scenario.flying(attempt).type()).isEqualTo(Action.Type.STOP_JOB);
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
  }

  @Test
  void stoppingAJobInDoubtEndsItWhereNothingIsFound() {
    String run = jobInDoubt();
    String attempt = scenario.attempt(run).id();
    scenario.abort("hello");
    scenario.pass(LOOK_AFTER);
    look(attempt);
    scenario.pass(Cloud.VISIBLE);
    look(attempt);
    assertNothingIsAskedFor();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.ABORTED);
  }

  @Test
  void aJobInDoubtThatIsSeenToHaveEndedHasEnded() {
    String run = jobInDoubt();
    scenario.exit(run, 0, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    scenario.worked(run, Action.Type.RELEASE_JOB);
    scenario.pass(LOOK_AFTER);
    assertNothingIsAskedFor();
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
  }

  @Test
  void aJobInDoubtThatIsSeenRunningIsNotTrustedBeforeTheLook() {
    String run = jobInDoubt();
    scenario.observe(run, new JobObservation.Running(scenario.now()));
    assertThat(
            scenario.memory.find(Attempt.class, scenario.attempt(run).id()).orElseThrow().status())
        .isEqualTo(JobStatus.PROVISIONING);
    scenario.pass(LOOK_AFTER);
    look(scenario.attempt(run).id(), "job-1");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }
}
