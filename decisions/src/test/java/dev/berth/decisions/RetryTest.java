package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.model.config.RetryEvent;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is tried again, after which pause, and for how long. */
final class RetryTest {
  private static final Duration DAY = Duration.ofDays(1);

  @ParameterizedTest(name = "{0} is retried on {1}")
  @CsvSource({
    "FAILED_TO_START_DUE_TO_NO_CAPACITY, NO_CAPACITY",
    "INTERRUPTED_BY_NO_CAPACITY, INTERRUPTION",
    "INSTANCE_UNREACHABLE, ERROR",
    "WAITING_INSTANCE_LIMIT_EXCEEDED, ERROR",
    "WAITING_RUNNER_LIMIT_EXCEEDED, ERROR",
    "VOLUME_ERROR, ERROR",
    "CONTAINER_EXITED_WITH_ERROR, ERROR",
    "PORTS_BINDING_FAILED, ERROR",
    "CREATING_CONTAINER_ERROR, ERROR",
    "EXECUTOR_ERROR, ERROR",
  })
  void everyFailureBelongsToAnEvent(JobReason reason, RetryEvent event) {
    assertThat(Retries.eventOf(reason)).contains(event);
  }

  @ParameterizedTest
  @EnumSource(JobReason.class)
  void onlyFailuresAreRetried(JobReason reason) {
    // A secret that is missing would be missing again.
    assertThat(Retries.eventOf(reason).isPresent())
        .isEqualTo(reason.end() == JobStatus.FAILED && reason != JobReason.MISSING_SECRET);
  }

  @Test
  void pausesGrowWhileNoPlaceIsFound() {
    Scenario scenario = Cloud.selling(Offers.machine("large", 1));
    new Cloud(scenario).soldOut("large");
    Cloud cloud = new Cloud(scenario).soldOut("large");
    String run = scenario.submit("hello", TaskBuilder.task().retrying(DAY, RetryEvent.NO_CAPACITY));
    List<Duration> pauses = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      cloud.answer();
      assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
      assertThat(scenario.run(run).message()).contains("sold out");
      Instant due = Objects.requireNonNull(scenario.placement(run).due());
      pauses.add(Duration.between(scenario.now(), due));
      scenario.pass(Duration.between(scenario.now(), due).minusMillis(1));
      assertThat(scenario.memory.unfinishedActions()).as("before its time").isEmpty();
      scenario.pass(Duration.ofMillis(1));
    }
    assertThat(pauses)
        .containsExactly(
            Duration.ofSeconds(15),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofMinutes(10),
            Duration.ofMinutes(10));
    cloud.soldAgain().run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.run(run).message()).isNull();
    assertThat(scenario.placement(run).trials()).as("counted anew").isZero();
  }

  @Test
  void afterTheWindowItIsOverAndSaysSo() {
    Scenario scenario = Cloud.selling(Offers.machine("large", 1));
    Cloud cloud = new Cloud(scenario).soldOut("large");
    Duration window = Duration.ofSeconds(40);
    String run =
        scenario.submit("hello", TaskBuilder.task().retrying(window, RetryEvent.NO_CAPACITY));
    cloud.answer();
    scenario.pass(Duration.ofSeconds(15));
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    scenario.pass(Duration.ofSeconds(30));
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.RETRY_LIMIT_EXCEEDED);
    assertThat(scenario.run(run).message()).contains("sold out");
  }

  @Test
  void withoutAPolicyNoCapacityEndsTheRun() {
    Scenario scenario = Cloud.selling(Offers.machine("large", 1));
    Cloud cloud = new Cloud(scenario).soldOut("large");
    String run = scenario.submit("hello");
    cloud.answer();
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.JOB_FAILED);
    assertThat(scenario.job(run).reason()).isEqualTo(JobReason.FAILED_TO_START_DUE_TO_NO_CAPACITY);
  }

  @Test
  void aFailedCommandIsRetriedOnlyOnError() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String other =
        scenario.submit(
            "other",
            TaskBuilder.task().retrying(DAY, RetryEvent.NO_CAPACITY, RetryEvent.INTERRUPTION));
    scenario.startWorked(other);
    scenario.exit(other, 0, 1);
    assertThat(scenario.run(other).status()).isEqualTo(RunStatus.FAILED);

    String run = scenario.submit("hello", TaskBuilder.task().retrying(DAY, RetryEvent.ERROR));
    scenario.startWorked(run);
    scenario.exit(run, 0, 1);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    assertThat(scenario.run(run).message()).isEqualTo("the commands ended with exit code 1");
    assertThat(scenario.eventsOf(scenario.attempts(run, 0).getFirst().id()))
        .contains("attempt.retried");
    scenario.pass(Duration.ofSeconds(15));
    assertThat(scenario.attempt(run).number()).isEqualTo(2);
    scenario.report(
        scenario.flying(scenario.attempt(run).id()), new ActionOutcome.Done(scenario.now()));
    scenario.exit(run, 0, 0);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    assertThat(scenario.run(run).exitCode()).isZero();
    assertThat(scenario.run(run).message()).isNull();
    assertThat(scenario.attempts(run, 0).getFirst().status()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void theWindowOfAnErrorIsCountedFromTheLastTimeThatItHadAPlace() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    Duration window = Duration.ofMinutes(1);
    String run = scenario.submit("hello", TaskBuilder.task().retrying(window, RetryEvent.ERROR));
    for (int i = 0; i < 4; i++) {
      scenario.report(
          scenario.flying(scenario.attempt(run).id()), new ActionOutcome.Done(scenario.now()));
      scenario.later(Duration.ofHours(2));
      scenario.exit(run, 0, 1);
      assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
      scenario.pass(Duration.ofSeconds(15));
    }
    assertThat(scenario.attempt(run).number()).isEqualTo(5);
  }

  @Test
  void whatWasStoppedOrRanForTooLongIsNotRetried() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    TaskBuilder task = TaskBuilder.task().retrying(DAY, RetryEvent.values());
    String stopped = scenario.submit("stopped", task);
    scenario.startWorked(stopped);
    scenario.stop("stopped");
    new Cloud(scenario).answer();
    assertThat(scenario.run(stopped).reason()).isEqualTo(RunReason.STOPPED_BY_USER);

    String overdue = scenario.submit("overdue", task);
    scenario.startWorked(overdue);
    scenario.observe(overdue, scenario.exited(143, JobObservation.Cause.MAX_DURATION_EXCEEDED));
    assertThat(scenario.run(overdue).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.job(overdue).status()).isEqualTo(JobStatus.TERMINATED);
  }

  @Test
  void stoppingWhileItWaitsForAnotherTryEndsItAtOnce() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String run = scenario.submit("hello", TaskBuilder.task().retrying(DAY, RetryEvent.ERROR));
    scenario.startWorked(run);
    scenario.exit(run, 0, 1);
    scenario.stop("hello");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    scenario.pass(DAY);
    assertThat(scenario.memory.active(Attempt.class)).isEmpty();
  }

  @Test
  void aReplicaThatGivesUpTakesOthersOutOfTheLineInTheSamePass() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1), Offers.machine("dear", 2));
    String run = scenario.submit("hello", TaskBuilder.task(), 2);
    ActionOutcome soldOut = ActionOutcome.Failed.soldOut("sold out");
    scenario.report(scenario.flying(run + "-0-0-1-m"), soldOut);
    scenario.tell(
        new Message.ActionReported(scenario.flying(run + "-0-0-2-m").id(), soldOut),
        new Message.ActionReported(scenario.flying(run + "-1-0-1-m").id(), soldOut));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.memory.unfinishedActions()).isEmpty();
  }

  @Test
  void oneReplicaIsTriedAgainWhileTheOthersGoOn() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String run = scenario.submit("hello", TaskBuilder.task().retrying(DAY, RetryEvent.ERROR), 3);
    new Cloud(scenario).answer();
    scenario.tell(new Message.Observed(run + "-1-0-1", scenario.exited(1)));
    assertThat(scenario.run(run).status()).as("the others run").isEqualTo(RunStatus.RUNNING);
    scenario.tell(new Message.Observed(run + "-0-0-1", scenario.exited(0)));
    scenario.tell(new Message.Observed(run + "-2-0-1", scenario.exited(0)));
    assertThat(scenario.run(run).status()).as("only one is left").isEqualTo(RunStatus.PENDING);
    scenario.pass(Duration.ofSeconds(15));
    new Cloud(scenario).answer();
    scenario.tell(new Message.Observed(run + "-1-0-2", scenario.exited(0)));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    assertThat(scenario.run(run).message()).isNull();
  }
}
