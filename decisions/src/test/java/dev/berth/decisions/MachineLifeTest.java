package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Candidate;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.InstanceReason;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Refusal;
import dev.berth.model.Resource;
import dev.berth.model.ResourceObservation;
import dev.berth.model.RunStatus;
import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TimeLimit;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Machines that are bought for runs: from the order until they are given back. */
final class MachineLifeTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final Scenario scenario =
      Cloud.selling(Offers.machine("fair", 1), Offers.machine("dear", 4));
  private final Cloud cloud = new Cloud(scenario);

  private static @Nullable InstanceReason reason(Instance machine) {
    return machine.bought().orElseThrow().reason();
  }

  @Test
  void aMachineIsOrderedMadeAndReadyBeforeTheJobIsStarted() {
    String run = scenario.submit("hello");
    Instance ordered = scenario.machineOf(run, 0);
    assertThat(ordered.status()).isEqualTo(Instance.Status.PENDING);
    assertThat(scenario.flying(ordered.id()).type()).isEqualTo(Action.Type.CREATE);
    cloud.answer();
    assertThat(scenario.machineOf(run, 0).status()).isEqualTo(Instance.Status.PROVISIONING);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PROVISIONING);
    cloud.boot();
    assertThat(scenario.machineOf(run, 0).status()).isEqualTo(Instance.Status.BUSY);
    Action start = scenario.flying(scenario.attempt(run).id());
    assertThat(Objects.requireNonNull(start.job().orElseThrow().place()).instance())
        .isEqualTo("i-1");
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.placement(run).phase().word()).isEqualTo("ready");
    scenario.exit(run, 0, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    assertThat(scenario.machineOf(run, 0).status()).isEqualTo(Instance.Status.IDLE);
  }

  @Test
  void anIdleMachineIsUsedBeforeAnotherIsBought() {
    String first = scenario.submit("first");
    cloud.run();
    scenario.exit(first, 0, 0);
    String second = scenario.submit("second");
    assertThat(scenario.attempt(second).instanceId())
        .isEqualTo(scenario.attempt(first).instanceId());
    cloud.run();
    assertThat(cloud.machines).hasSize(1);
    assertThat(scenario.run(second).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void anIdleMachineOfAnotherProjectIsNotUsed() {
    String first = scenario.submit("first");
    cloud.run();
    scenario.exit(first, 0, 0);
    Message.Submit other = scenario.submissionElsewhere("second", TaskBuilder.task());
    scenario.tell(other);
    cloud.run();
    assertThat(cloud.machines).hasSize(2);
  }

  @Test
  void anIdleMachineThatDoesNotSuitIsNotUsed() {
    String first = scenario.submit("first");
    cloud.run();
    scenario.exit(first, 0, 0);
    TaskBuilder elsewhere = TaskBuilder.task();
    elsewhere.regions = List.of("us-1");
    scenario.market = Offers.market(Offers.machine("fair", 1), Offers.machine("far", 2, "us-1"));
    String second = scenario.submit("second", elsewhere);
    assertThat(scenario.machineOf(second, 0).region()).isEqualTo("us-1");
  }

  @Test
  void anIdleMachineIsGivenBackAfterItsTime() {
    String run = scenario.submit("hello", TaskBuilder.task().idle(Duration.ofMinutes(7)));
    cloud.run();
    scenario.exit(run, 0, 0);
    scenario.pass(Duration.ofMinutes(7).minusSeconds(1));
    assertThat(scenario.machineOf(run, 0).status()).isEqualTo(Instance.Status.IDLE);
    scenario.pass(Duration.ofSeconds(1));
    assertThat(reason(scenario.machineOf(run, 0))).isEqualTo(InstanceReason.IDLE_TIMEOUT);
    cloud.answer();
    assertThat(cloud.machines).isEmpty();
    assertThat(scenario.memory.active(Instance.class)).isEmpty();
    assertThat(scenario.memory.active(Fleet.class)).as("the temporary fleet").isEmpty();
  }

  @Test
  void aMachineIsKeptForEverWhereThatIsAskedFor() {
    TaskBuilder task = TaskBuilder.task();
    task.idleDuration = TimeLimit.OFF;
    String run = scenario.submit("hello", task);
    cloud.run();
    scenario.exit(run, 0, 0);
    scenario.pass(Duration.ofDays(400));
    assertThat(scenario.machineOf(run, 0).status()).isEqualTo(Instance.Status.IDLE);
  }

  @Test
  void whatIsNotReadyInTimeIsFollowedByTheNextOffer() {
    String run = scenario.submit("hello");
    cloud.answer();
    String first = scenario.machineOf(run, 0).id();
    scenario.pass(Duration.ofMinutes(10));
    assertThat(reason(scenario.machine(first))).isEqualTo(InstanceReason.PROVISIONING_TIMEOUT);
    assertThat(scenario.attempts(run, 0)).as("the first is taken back before").hasSize(1);
    cloud.answer();
    assertThat(scenario.attempts(run, 0)).hasSize(2);
    assertThat(cloud.asked).containsExactly("fair@eu-1", "dear@eu-1");
    assertThat(cloud.machines.values()).containsExactly(scenario.machineOf(run, 0).id());
    cloud.run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.run(run).message()).isNull();
  }

  @ParameterizedTest(name = "shown as {0}")
  @CsvSource({"FAILED", "OFF", "LEAVING"})
  void whatWillNeverBeReadyIsFollowedByTheNextOffer(ResourceObservation.State state) {
    String run = scenario.submit("hello");
    cloud.answer();
    cloud.observation(scenario.machineOf(run, 0).id(), state);
    cloud.run();
    assertThat(cloud.asked).containsExactly("fair@eu-1", "dear@eu-1");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(cloud.machines).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsRefusedLateIsFollowedByTheNextOffer(Refusal refusal) {
    String run = scenario.submit("hello");
    cloud.answer();
    String first = scenario.machineOf(run, 0).id();
    cloud.refuseLate(first, refusal, "not today");
    assertThat(scenario.machine(first).status()).isEqualTo(Instance.Status.TERMINATED);
    assertThat(reason(scenario.machine(first))).isEqualTo(InstanceReason.NO_OFFERS);
    assertThat(scenario.memory.unfinishedActions().map(Action::type))
        .as("nothing is there, so nothing is deleted")
        .containsExactly(Action.Type.CREATE);
    cloud.run();
    assertThat(cloud.asked).containsExactly("fair@eu-1", "dear@eu-1");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void whatAllProvidersRefuseLateIsWhatNobodyHad() {
    String run = scenario.submit("hello");
    cloud.answer();
    cloud.refuseLate(scenario.machineOf(run, 0).id(), Refusal.NO_CAPACITY, "sold out");
    cloud.answer();
    cloud.refuseLate(scenario.machineOf(run, 0).id(), Refusal.QUOTA, "");
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).message())
        .isEqualTo("none of the 2 offers had capacity: the quota of the account is used up");
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
  }

  @Test
  void whatIsRefusedWhileItIsGivenBackIsGone() {
    String run = scenario.submit("hello");
    cloud.answer();
    String machine = scenario.machineOf(run, 0).id();
    scenario.tell(new Message.Stop(Scenario.PROJECT, "hello", false, "ann"));
    assertThat(scenario.memory.active(Resource.class)).isNotEmpty();
    cloud.refuseLate(machine, Refusal.OTHER, "no");
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
    assertThat(scenario.machine(machine).active()).isFalse();
    cloud.answer();
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
  }

  @Test
  void itIsNotedWhenAMachineWasMadeAlsoWhileItIsGivenBack() {
    String run = scenario.submit("hello");
    cloud.answer();
    String machine = scenario.machineOf(run, 0).id();
    Instant made = scenario.now();
    assertThat(scenario.memory.find(Resource.class, machine).orElseThrow().since()).isEqualTo(made);
    scenario.pass(Duration.ofMinutes(10));
    assertThat(scenario.memory.find(Resource.class, machine).orElseThrow())
        .satisfies(
            leaving -> {
              assertThat(leaving.phase()).isEqualTo(Resource.State.LEAVING);
              assertThat(leaving.since()).isEqualTo(made);
            });
  }

  @Test
  void whatIsSoldOutIsFollowedByTheNextOfferAndThenItIsOver() {
    cloud.soldOut("fair", "dear");
    String run = scenario.submit("hello");
    cloud.answer();
    assertThat(cloud.asked).containsExactly("fair@eu-1", "dear@eu-1");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).message())
        .isEqualTo("none of the 2 offers had capacity: sold out");
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
    assertThat(scenario.memory.active(Fleet.class)).isEmpty();
  }

  @Test
  void noMoreThanTwentyFiveOffersAreTried() {
    scenario.market =
        Offers.market(
            IntStream.range(0, 40)
                .mapToObj(i -> Offers.machine("type-" + i, 1 + i))
                .toArray(Candidate[]::new));
    cloud.soldOut("eu-1");
    String run = scenario.submit("hello");
    cloud.answer();
    assertThat(cloud.asked).hasSize(ReplicaLife.MOST_OFFERS);
    assertThat(scenario.run(run).message())
        .isEqualTo("none of the 25 offers had capacity: sold out");
  }

  @Test
  void aSpotMachineThatIsTakenAwayIsAnInterruption() {
    scenario.market = Offers.market(Offers.spotMachine("brief", 1));
    String run =
        scenario.submit(
            "hello",
            TaskBuilder.task().spot(SpotPolicy.AUTO).retrying(DAY, RetryEvent.INTERRUPTION));
    cloud.run();
    scenario.later(Duration.ofMinutes(30));
    cloud.take(scenario.machineOf(run, 0).id());
    Attempt first = scenario.attempts(run, 0).getFirst();
    assertThat(first.reason()).isEqualTo(JobReason.INTERRUPTED_BY_NO_CAPACITY);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    scenario.pass(Duration.ofSeconds(15));
    cloud.run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.attempt(run).number()).isEqualTo(2);
  }

  @Test
  void aMachineThatIsTakenAwayEndsTheRunWhereThatIsNotRetried() {
    String run = scenario.submit("hello", TaskBuilder.task().retrying(DAY, RetryEvent.ERROR));
    cloud.run();
    cloud.take(scenario.machineOf(run, 0).id());
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).message()).isEqualTo("the provider took it back");
    assertThat(scenario.memory.active(Fleet.class)).isEmpty();
  }

  @ParameterizedTest(name = "spot: {0}")
  @CsvSource({
    "false, INSTANCE_UNREACHABLE, UNREACHABLE",
    "true, INTERRUPTED_BY_NO_CAPACITY, INTERRUPTED"
  })
  void aMachineThatDoesNotAnswerForTwoMinutesIsGivenBack(
      boolean spot, JobReason reason, InstanceReason machineReason) {
    scenario.market = Offers.market(spot ? Offers.spotMachine("one", 1) : Offers.machine("one", 1));
    String run = scenario.submit("hello", TaskBuilder.task().spot(SpotPolicy.AUTO));
    cloud.run();
    scenario.tell(new Message.Unseen(scenario.attempt(run).id()));
    scenario.pass(Attempt.OUT_OF_SIGHT.minusSeconds(1));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    scenario.tell(new Message.Unseen(scenario.attempt(run).id()));
    scenario.pass(Duration.ofSeconds(1));
    assertThat(reason(scenario.machineOf(run, 0))).isEqualTo(machineReason);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATING);
    cloud.answer();
    assertThat(scenario.attempt(run).reason()).isEqualTo(reason);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).message())
        .isEqualTo("the machine could not be reached for 2 minutes");
    assertThat(cloud.machines).isEmpty();
  }

  @Test
  void aMachineThatAnswersAgainIsKept() {
    String run = scenario.submit("hello");
    cloud.run();
    scenario.tell(new Message.Unseen(scenario.attempt(run).id()));
    scenario.pass(Duration.ofMinutes(1));
    scenario.tell(
        new Message.Observed(
            scenario.attempt(run).id(), new JobObservation.Running(scenario.now())));
    scenario.pass(Duration.ofMinutes(5));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void stoppingWhileTheMachineIsMadeGivesItBack() {
    String run = scenario.submit("hello");
    String machine = scenario.machineOf(run, 0).id();
    scenario.stop("hello");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.machine(machine).status()).isEqualTo(Instance.Status.TERMINATING);
    cloud.answer();
    assertThat(cloud.machines).isEmpty();
    assertThat(scenario.memory.active(Instance.class)).isEmpty();
    assertThat(scenario.memory.active(Fleet.class)).isEmpty();
  }

  @Test
  void stoppingWhileTheMachineBootsGivesItBack() {
    String run = scenario.submit("hello");
    cloud.answer();
    scenario.stop("hello");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    cloud.answer();
    assertThat(cloud.machines).isEmpty();
  }

  @Test
  void aDeleteIsToldAgainUntilTheProviderShowsThatItIsGone() {
    String run = scenario.submit("hello");
    cloud.answer();
    String machine = scenario.machineOf(run, 0).id();
    scenario.stop("hello");
    for (int i = 1; i <= 12; i++) {
      Action delete = scenario.flying(machine);
      assertThat(delete.type()).isEqualTo(Action.Type.DELETE);
      scenario.report(
          delete,
          i % 2 == 0
              ? new ActionOutcome.Failed("no answer", false)
              : new ActionOutcome.Done(scenario.now()));
      assertThat(scenario.memory.find(Resource.class, machine)).as("not called gone").isPresent();
      scenario.pass(Duration.ofMinutes(10));
    }
    assertThat(scenario.eventsOf(machine)).contains("resource.does_not_go");
    cloud.answer();
    assertThat(scenario.memory.active(Resource.class)).isEmpty();
  }

  @Test
  void peopleAreToldOfADeleteThatIsNeverAccepted() {
    String run = scenario.submit("hello");
    cloud.answer();
    String machine = scenario.machineOf(run, 0).id();
    scenario.stop("hello");
    for (int i = 1; i <= 8; i++) {
      scenario.report(scenario.flying(machine), new ActionOutcome.Failed("no answer", true));
      scenario.pass(Duration.ofMinutes(10));
    }
    assertThat(scenario.eventsOf(machine)).containsOnlyOnce("resource.does_not_go");
  }

  @Test
  void aCreationIsTriedThriceAndThenAnotherOfferIs() {
    String run = scenario.submit("hello");
    String first = scenario.machineOf(run, 0).id();
    for (int i = 1; i <= 2; i++) {
      scenario.report(scenario.flying(first), new ActionOutcome.Failed("busy", true));
      assertThat(scenario.machine(first).status()).isEqualTo(Instance.Status.PENDING);
      scenario.pass(Duration.ofMinutes(1));
    }
    scenario.report(scenario.flying(first), new ActionOutcome.Failed("busy", true));
    assertThat(scenario.machine(first).status()).isEqualTo(Instance.Status.TERMINATING);
    scenario.pass(Duration.ofMinutes(1));
    cloud.run();
    cloud.run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(cloud.machines.values()).containsExactly(scenario.machineOf(run, 0).id());
    assertThat(scenario.machineOf(run, 0).id()).isNotEqualTo(first);
  }

  @Test
  void aProviderThatAsksForPatienceGetsIt() {
    String run = scenario.submit("hello");
    String machine = scenario.machineOf(run, 0).id();
    Duration minute = Duration.ofMinutes(1);
    scenario.report(
        scenario.flying(machine), new ActionOutcome.Failed("too often", true, false, minute, null));
    Action waiting = scenario.memory.unfinishedActions().findFirst().orElseThrow();
    assertThat(waiting.due()).isEqualTo(scenario.now().plus(minute));
    assertThat(waiting.attempts()).isEqualTo(1);
  }

  @Test
  void theResultOfAJobCountsThoughItsMachineIsLeaving() {
    String run = scenario.submit("hello");
    cloud.run();
    String attempt = scenario.attempt(run).id();
    scenario.tell(new Message.Unseen(attempt));
    scenario.pass(Duration.ofMinutes(2));
    scenario.tell(new Message.Observed(attempt, scenario.exited(0)));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    cloud.answer();
    assertThat(cloud.machines).isEmpty();
  }
}
