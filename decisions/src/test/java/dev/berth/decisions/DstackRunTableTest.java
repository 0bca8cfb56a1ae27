package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Job;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.model.config.RetryEvent;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The states of runs, row by row of section 2.1 of the reference. */
final class DstackRunTableTest {
  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void everyReasonHasItsEnd() {
    assertThat(
            Map.of(
                RunReason.ALL_JOBS_DONE, RunStatus.DONE,
                RunReason.JOB_FAILED, RunStatus.FAILED,
                RunReason.RETRY_LIMIT_EXCEEDED, RunStatus.FAILED,
                RunReason.SERVER_ERROR, RunStatus.FAILED,
                RunReason.GATEWAY_ERROR, RunStatus.FAILED,
                RunReason.STOPPED_BY_USER, RunStatus.TERMINATED,
                RunReason.ABORTED_BY_USER, RunStatus.TERMINATED,
                // dstack has no runs that wait for others.
                RunReason.DEPENDENCY_FAILED, RunStatus.FAILED))
        .hasSize(RunReason.values().length)
        .allSatisfy((reason, end) -> assertThat(reason.end()).isEqualTo(end));
  }

  @TestFactory
  Stream<DynamicTest> rows() {
    return new DstackTable(
            "apply, no schedule",
            "apply with schedule",
            "pending, back-off elapsed",
            "pending, cron trigger",
            "pending, autoscaler",
            "recomputed from jobs",
            "retryable failure, others alive",
            "retryable failure, nothing active left",
            "stop",
            "abort",
            "terminating, all jobs finished",
            "terminating, all jobs finished, scheduled",
            "reason pushed to live jobs",
            "superseded submissions are deleted",
            "scaled down jobs do not count")
        .row("apply, no schedule", DstackRunTableTest::applied)
        .row("apply with schedule", DstackRunTableTest::scheduled)
        .row("pending, back-off elapsed", DstackRunTableTest::backOffElapsed)
        .row("pending, cron trigger", DstackRunTableTest::triggered)
        .absent("pending, autoscaler", "there are no services yet")
        .different(
            "recomputed from jobs",
            "on every change, not every 5 or 10 seconds",
            DstackRunTableTest::recomputed)
        .row("retryable failure, others alive", DstackRunTableTest::othersAlive)
        .row("retryable failure, nothing active left", DstackRunTableTest::nothingLeft)
        .row("stop", DstackRunTableTest::stopped)
        .row("abort", DstackRunTableTest::aborted)
        .row("terminating, all jobs finished", DstackRunTableTest::finished)
        .row("terminating, all jobs finished, scheduled", DstackRunTableTest::finishedScheduled)
        .row("reason pushed to live jobs", DstackRunTableTest::pushed)
        .different(
            "superseded submissions are deleted",
            "what was tried is part of the story, and is kept",
            DstackRunTableTest::keepsAttempts)
        .absent("scaled down jobs do not count", "there are no services yet")
        .tests();
  }

  private static Scenario twoMachines() {
    return Scenario.with(Machines.large("m1"), Machines.large("m2"));
  }

  private static void applied() {
    Scenario scenario = new Scenario();
    String run = scenario.submit("hello", TaskBuilder.task().nodes(3));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.SUBMITTED);
    assertThat(scenario.memory.children(Job.class, run)).hasSize(3);
  }

  private static void scheduled() {
    Scenario scenario = twoMachines();
    String run = scenario.submit("hello", TaskBuilder.task().at("0 18 * * *", "0 13 * * *"));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    assertThat(scenario.run(run).due()).isEqualTo(Scenario.BEGIN.plus(Duration.ofHours(1)));
    assertThat(scenario.memory.active(Job.class)).isEmpty();
  }

  private static void backOffElapsed() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1));
    Cloud cloud = new Cloud(scenario).soldOut("fair");
    String run = scenario.submit("hello", TaskBuilder.task().retrying(DAY, RetryEvent.NO_CAPACITY));
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    scenario.market = OfferView.of(List.of(), false, Scenario.BEGIN);
    scenario.pass(Duration.ofSeconds(15));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.SUBMITTED);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.SUBMITTED);
  }

  private static void triggered() {
    Scenario scenario = new Scenario();
    String run = scenario.submit("hello", TaskBuilder.task().at("0 13 * * *"));
    scenario.pass(Duration.ofHours(1));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.SUBMITTED);
  }

  private static void recomputed() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 3));
    String run = scenario.submit("hello", TaskBuilder.task(), 4);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PROVISIONING);
    scenario.report(scenario.flying(run + "-1-0-1"), new ActionOutcome.Done(scenario.now()));
    assertThat(scenario.run(run).status())
        .as("running before provisioning")
        .isEqualTo(RunStatus.RUNNING);
    scenario.tell(new Message.Observed(run + "-1-0-1", scenario.exited(0)));
    assertThat(scenario.run(run).status())
        .as("provisioning before submitted and done")
        .isEqualTo(RunStatus.PROVISIONING);
    new Cloud(scenario).answer();
    scenario.tell(new Message.Observed(run + "-2-0-1", scenario.exited(1)));
    assertThat(scenario.run(run).status()).as("failed before all").isEqualTo(RunStatus.TERMINATING);
    new Cloud(scenario).answer();
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.JOB_FAILED);
  }

  private static void othersAlive() {
    Scenario scenario = twoMachines();
    Cloud cloud = new Cloud(scenario);
    String run =
        scenario.submit("hello", TaskBuilder.task().nodes(2).retrying(DAY, RetryEvent.ERROR), 2);
    cloud.answer();
    scenario.tell(new Message.Observed(run + "-0-1-1", scenario.exited(1)));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.flying(run + "-0-0-1").type()).isEqualTo(Action.Type.STOP_JOB);
    cloud.answer();
    scenario.pass(Duration.ofSeconds(15));
    cloud.answer();
    assertThat(scenario.attempt(run, 0).number()).isEqualTo(2);
    assertThat(scenario.attempt(run, 1).number()).isEqualTo(2);
    assertThat(scenario.memory.stored(Attempt.class, run + "-1-0-2")).isEmpty();
  }

  private static void nothingLeft() {
    Scenario scenario = twoMachines();
    String run = scenario.submit("hello", TaskBuilder.task().retrying(DAY, RetryEvent.ERROR));
    scenario.startWorked(run);
    scenario.exit(run, 0, 1);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    assertThat(scenario.placement(run).trials()).isEqualTo(1);
    assertThat(scenario.attempt(run).instanceId()).as("its machine is free").isNull();
  }

  private static void stopped() {
    Scenario scenario = twoMachines();
    String run = scenario.running("hello");
    scenario.stop("hello");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATING);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.STOP_JOB);
    new Cloud(scenario).answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.job(run).reason()).isEqualTo(JobReason.TERMINATED_BY_USER);
  }

  private static void aborted() {
    Scenario scenario = twoMachines();
    String run = scenario.running("hello");
    scenario.abort("hello");
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    new Cloud(scenario).answer();
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.ABORTED_BY_USER);
    assertThat(scenario.job(run).status()).isEqualTo(JobStatus.ABORTED);
  }

  private static void finished() {
    Scenario scenario = twoMachines();
    String run = scenario.submit("hello", TaskBuilder.task().nodes(2));
    Cloud cloud = new Cloud(scenario);
    cloud.answer();
    scenario.stop("hello");
    scenario.tell(
        new Message.Observed(run + "-0-0-1", scenario.exited(143, JobObservation.Cause.STOPPED)));
    assertThat(scenario.run(run).status()).as("one is left").isEqualTo(RunStatus.TERMINATING);
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
  }

  private static void finishedScheduled() {
    Scenario scenario = twoMachines();
    String run = scenario.submit("hello", TaskBuilder.task().at("0 * * * *"));
    scenario.pass(Duration.ofHours(1));
    new Cloud(scenario).answer();
    scenario.exit(run, 0, 1);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    assertThat(scenario.run(run).due()).isEqualTo(Scenario.BEGIN.plus(Duration.ofHours(2)));
  }

  private static void pushed() {
    Scenario scenario = twoMachines();
    String run = scenario.submit("hello", TaskBuilder.task().nodes(2));
    Cloud cloud = new Cloud(scenario);
    cloud.answer();
    scenario.exit(run, 0, 1);
    cloud.answer();
    assertThat(scenario.attempt(run, 1).reason()).isEqualTo(JobReason.TERMINATED_BY_SERVER);
  }

  private static void keepsAttempts() {
    Scenario scenario = Cloud.selling(Offers.machine("fair", 1), Offers.machine("dear", 2));
    Cloud cloud = new Cloud(scenario).soldOut("fair");
    String run = scenario.submit("hello");
    cloud.run();
    assertThat(scenario.attempts(run, 0)).hasSize(2);
    assertThat(scenario.attempts(run, 0).getFirst().message()).isEqualTo("sold out");
  }
}
