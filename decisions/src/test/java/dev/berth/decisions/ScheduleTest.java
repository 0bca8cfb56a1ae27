package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.Job;
import dev.berth.model.JobObservation;
import dev.berth.model.Placement;
import dev.berth.model.Run;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs that are started by the clock. It is twelve o'clock when these tests begin. */
final class ScheduleTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static Instant at(String time) {
    return Instant.parse("2026-11-01T" + time + ":00Z");
  }

  private static Scenario scenario() {
    return Scenario.with(Machines.large("m1"));
  }

  private static List<Attempt> attempts(Scenario scenario, String run) {
    return scenario.memory.all(Attempt.class).filter(one -> one.runId().equals(run)).toList();
  }

  /** The jobs that are under way are started, and succeed or not. */
  private static void execute(Scenario scenario, String run, int code) {
    new Cloud(scenario).answer();
    for (Attempt attempt : scenario.memory.active(Attempt.class)) {
      if (attempt.runId().equals(run)) {
        scenario.tell(new Message.Observed(attempt.id(), scenario.exited(code)));
      }
    }
    new Cloud(scenario).answer();
  }

  @Test
  void nothingIsMadeBeforeItsTime() {
    Scenario scenario = scenario();
    String run = scenario.submit("nightly", TaskBuilder.task().at("0 13 * * *"));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    assertThat(scenario.run(run).due()).isEqualTo(at("13:00"));
    scenario.pass(HOUR.minusSeconds(1));
    assertThat(scenario.memory.active(Job.class)).isEmpty();
    scenario.pass(Duration.ofSeconds(1));
    assertThat(scenario.run(run).trigger()).isEqualTo(at("13:00"));
    assertThat(scenario.memory.active(Job.class)).hasSize(1);
  }

  @Test
  void afterEachExecutionItWaitsForTheNextTime() {
    Scenario scenario = scenario();
    String run = scenario.submit("hourly", TaskBuilder.task().at("0 * * * *"));
    for (int i = 1; i <= 3; i++) {
      scenario.pass(HOUR);
      execute(scenario, run, i == 2 ? 1 : 0);
      assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
      assertThat(scenario.run(run).executions()).isEqualTo(i);
      assertThat(scenario.run(run).due()).isEqualTo(at("1" + (3 + i) + ":00"));
    }
    assertThat(attempts(scenario, run)).hasSize(3);
    assertThat(scenario.run(run).reason()).isNull();
    assertThat(scenario.run(run).message()).isEqualTo("last time: all jobs are done");
  }

  @Test
  void itSaysHowTheLastTimeWentWrong() {
    Scenario scenario = scenario();
    String run = scenario.submit("hourly", TaskBuilder.task().at("0 * * * *"));
    scenario.pass(HOUR);
    execute(scenario, run, 3);
    assertThat(scenario.run(run).message())
        .isEqualTo("last time: the commands ended with exit code 3");
  }

  @Test
  void executionsDoNotOverlapAndMissedTimesAreNotMadeUpFor() {
    Scenario scenario = scenario();
    String run = scenario.submit("hourly", TaskBuilder.task().at("0 * * * *"));
    scenario.pass(HOUR);
    new Cloud(scenario).answer();
    scenario.pass(HOUR.multipliedBy(2).plusMinutes(30));
    assertThat(scenario.memory.active(Placement.class)).as("one at a time").hasSize(1);
    execute(scenario, run, 0);
    assertThat(scenario.run(run).due()).isEqualTo(at("16:00"));
  }

  @Test
  void aTimeThatPassedWhileNobodyWasThereFiresOnceWithItsNominalTime() {
    Scenario scenario = scenario();
    String run = scenario.submit("hourly", TaskBuilder.task().at("0 * * * *"));
    scenario.pass(HOUR.multipliedBy(5).plusMinutes(10));
    assertThat(scenario.run(run).trigger()).isEqualTo(at("13:00"));
    assertThat(scenario.run(run).executions()).isEqualTo(1);
    execute(scenario, run, 0);
    assertThat(scenario.run(run).due()).isEqualTo(at("18:00"));
    assertThat(scenario.run(run).executions()).isEqualTo(1);
  }

  @Test
  void aTimeIsUsedOnceThoughTheClockOfTheProviderIsBehind() {
    Scenario scenario = scenario();
    String run = scenario.submit("hourly", TaskBuilder.task().at("0 * * * *"));
    scenario.pass(HOUR);
    new Cloud(scenario).answer();
    Instant behind = at("12:59");
    scenario.tell(
        new Message.Observed(
            Scenario.attemptId(run),
            new JobObservation.Exited(0, JobObservation.Cause.EXITED, "", behind, behind)));
    assertThat(scenario.run(run).due()).isEqualTo(at("14:00"));
  }

  @Test
  void aTriggerThatIsToldTwiceFiresOnce() {
    Scenario scenario = scenario();
    String run = scenario.submit("hourly", TaskBuilder.task().at("0 * * * *"));
    scenario.later(HOUR);
    Message due = new Message.Due(scenario.run(run).kind(), run);
    scenario.tell(due, due);
    scenario.tell(due);
    assertThat(scenario.run(run).executions()).isEqualTo(1);
    assertThat(attempts(scenario, run)).hasSize(1);
  }

  @Test
  void ofSeveralExpressionsTheEarliestCounts() {
    Scenario scenario = scenario();
    String run = scenario.submit("often", TaskBuilder.task().at("0 18 * * *", "20 12 * * *"));
    assertThat(scenario.run(run).due()).isEqualTo(at("12:20"));
  }

  @Test
  void stopEndsTheScheduleBetweenTwoTimes() {
    Scenario scenario = scenario();
    String run = scenario.submit("hourly", TaskBuilder.task().at("0 * * * *"));
    scenario.pass(HOUR);
    execute(scenario, run, 0);
    scenario.stop("hourly");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    scenario.pass(HOUR.multipliedBy(3));
    assertThat(attempts(scenario, run)).hasSize(1);
  }

  @Test
  void stopEndsTheScheduleDuringAnExecution() {
    Scenario scenario = scenario();
    String run = scenario.submit("hourly", TaskBuilder.task().at("0 * * * *"));
    scenario.pass(HOUR);
    new Cloud(scenario).answer();
    scenario.stop("hourly");
    new Cloud(scenario).answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.run(run).due()).isNull();
  }

  @Test
  void aFailureOfOneNodeDoesNotEndTheSchedule() {
    Scenario scenario = Scenario.with(Machines.large("m1"), Machines.large("m2"));
    String run = scenario.submit("hourly", TaskBuilder.task().nodes(2).at("0 * * * *"));
    for (int i = 1; i <= 2; i++) {
      scenario.pass(HOUR);
      new Cloud(scenario).answer();
      assertThat(scenario.memory.active(Attempt.class)).hasSize(2);
      String master = scenario.memory.active(Attempt.class).iterator().next().id();
      scenario.tell(new Message.Observed(master, scenario.exited(1)));
      new Cloud(scenario).answer();
      assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PENDING);
    }
    assertThat(scenario.run(run).executions()).isEqualTo(2);
  }

  @Test
  void aFailureOfOneReplicaMakesNoMoreOfThemUntilTheNextTime() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 1));
    Message.Submit one =
        scenario.submission("hourly", TaskBuilder.task().at("0 * * * *"), 500, List.of());
    scenario.tell(one);
    scenario.pass(HOUR);
    execute(scenario, one.runId(), 1);
    assertThat(scenario.memory.active(Job.class)).isEmpty();
    assertThat(scenario.run(one.runId()).status()).isEqualTo(RunStatus.PENDING);
    scenario.pass(HOUR);
    assertThat(scenario.memory.active(Job.class)).hasSize(Replicas.MOST_AT_ONCE);
  }

  @Test
  void aScheduleWithoutATimeIsRefused() {
    Scenario scenario = scenario();
    Reply reply = scenario.tell(scenario.submission("never", TaskBuilder.task().at("0 0 30 2 *")));
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    assertThat(scenario.memory.active(Run.class)).isEmpty();
  }

  @Test
  void whatWaitsForAnotherRunAndTheClockWaitsForBoth() {
    Scenario scenario = scenario();
    String first = scenario.running("first");
    String run = scenario.submitAfter("second", TaskBuilder.task().at("0 * * * *"), first);
    scenario.pass(HOUR.plusMinutes(5));
    assertThat(attempts(scenario, run)).isEmpty();
    scenario.exit(first, 0, 0);
    assertThat(attempts(scenario, run)).isEmpty();
    assertThat(scenario.run(run).due()).isEqualTo(at("14:00"));
    scenario.pass(HOUR);
    execute(scenario, run, 0);
    assertThat(scenario.run(run).executions()).isEqualTo(1);
    assertThat(scenario.run(run).due()).isEqualTo(at("15:00"));
  }

  @Test
  void aScheduleWhoseDependencyFailedEnds() {
    Scenario scenario = scenario();
    String first = scenario.running("first");
    String run = scenario.submitAfter("second", TaskBuilder.task().at("0 * * * *"), first);
    scenario.exit(first, 0, 1);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.DEPENDENCY_FAILED);
  }
}
