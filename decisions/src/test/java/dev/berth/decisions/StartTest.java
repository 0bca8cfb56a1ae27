package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Resource;
import dev.berth.model.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Starts that fail, and starts whose effect is seen before their report. */
final class StartTest {
  private final Scenario scenario = Scenario.with(Machines.large("m1"));

  @Test
  void aTransientFailureIsTriedAgainAfterGrowingWaitsAndThenGivenUp() {
    String run = scenario.submit("hello");
    List<Duration> waits = new ArrayList<>();
    int tries = 0;
    while (scenario.action(run, Action.Type.START_JOB).state() == Action.State.IN_FLIGHT) {
      tries++;
      scenario.failed(run, Action.Type.START_JOB, "the machine is busy", true);
      Action start = scenario.action(run, Action.Type.START_JOB);
      Instant due = start.due();
      if (start.state() == Action.State.PENDING && due != null) {
        waits.add(Duration.between(scenario.now(), due));
        scenario.tellWhatIsDue();
        assertThat(scenario.inFlight(run)).as("not before its time").isEmpty();
        scenario.later(Duration.between(scenario.now(), due));
        scenario.tellWhatIsDue();
      }
    }

    assertThat(tries).isEqualTo(3);
    assertThat(waits).isSorted().doesNotHaveDuplicates().hasSize(2);
    assertThat(scenario.action(run, Action.Type.START_JOB).state()).isEqualTo(Action.State.FAILED);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATING);
    assertThat(scenario.inFlight(run))
        .as("what may be there is taken back")
        .containsExactly(Action.Type.KILL_JOB);

    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.FAILED);
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.CREATING_CONTAINER_ERROR);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).message()).isEqualTo("the machine is busy");
    assertThat(scenario.machine("m1").allocations()).isEmpty();
  }

  @Test
  void aLaterTryThatWorksMakesItRun() {
    String run = scenario.submit("hello");
    scenario.failed(run, Action.Type.START_JOB, "the machine is busy", true);
    scenario.later(Duration.ofSeconds(1));
    scenario.tellWhatIsDue();
    scenario.startWorked(run);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.attempt(run).message()).isNull();
  }

  @Test
  void aPermanentFailureIsNotTriedAgain() {
    String run = scenario.submit("hello");
    scenario.failed(run, Action.Type.START_JOB, "no such shell: fish", false);
    assertThat(scenario.action(run, Action.Type.START_JOB).state()).isEqualTo(Action.State.FAILED);
    assertThat(scenario.job(run).status()).isEqualTo(JobStatus.TERMINATING);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.run(run).message()).isEqualTo("no such shell: fish");
    assertThat(scenario.run(run).exitCode()).isNull();
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.CREATING_CONTAINER_ERROR);
  }

  @Test
  void anEndThatIsSeenBeforeTheStartsReportIsTheEnd() {
    String run = scenario.submit("hello");
    JobObservation.Exited exited = scenario.exited(7);
    scenario.later(Duration.ofHours(1));
    scenario.observe(run, exited);

    assertThat(scenario.run(run).exitCode()).isEqualTo(7);
    assertThat(scenario.attempt(run).startedAt()).isEqualTo(exited.startedAt());
    assertThat(scenario.resource(run).phase()).isEqualTo(Resource.State.GONE);

    scenario.startWorked(run);
    assertThat(scenario.action(run, Action.Type.START_JOB).state()).isEqualTo(Action.State.DONE);
    assertThat(scenario.inFlight(run)).isEmpty();
  }

  @Test
  void aStartIsNotRepeatedPastItsDeadline() {
    String run = scenario.submit("hello");
    scenario.later(Duration.ofMinutes(10));
    scenario.failed(run, Action.Type.START_JOB, "the machine did not answer", true);
    assertThat(scenario.action(run, Action.Type.START_JOB).state()).isEqualTo(Action.State.FAILED);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATING);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
  }

  @Test
  void aStartThatFailsAfterTheEndWasSeenIsNotRepeated() {
    String run = scenario.submit("hello");
    scenario.observe(run, scenario.exited(0));
    scenario.failed(run, Action.Type.START_JOB, "the answer was lost", true);
    assertThat(scenario.action(run, Action.Type.START_JOB).state()).isEqualTo(Action.State.FAILED);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void anEndThatIsSeenWhileTheStartWaitsToBeRepeatedRevokesIt() {
    String run = scenario.submit("hello");
    scenario.failed(run, Action.Type.START_JOB, "the answer was lost", true);
    scenario.observe(run, scenario.exited(0));
    assertThat(scenario.action(run, Action.Type.START_JOB).state()).isEqualTo(Action.State.REVOKED);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void aJobThatIsSeenRunningIsAdoptedBeforeTheStartsReport() {
    String run = scenario.submit("hello");
    Instant since = scenario.now().plusSeconds(1);
    scenario.later(Duration.ofSeconds(5));
    scenario.observe(run, new JobObservation.Running(since));

    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.RUNNING);
    assertThat(scenario.attempt(run).startedAt()).isEqualTo(since);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.START_JOB);

    scenario.startWorked(run);
    assertThat(scenario.attempt(run).startedAt()).isEqualTo(since);
    assertThat(scenario.resource(run).actionId()).isNull();
    assertThat(scenario.eventsOf(Scenario.attemptId(run)))
        .containsExactly("attempt.placed", "attempt.started");
  }

  @Test
  void aJobThatIsSeenRunningHasStartedWhateverTheReportSays() {
    for (boolean transientFailure : List.of(true, false)) {
      String run = scenario.submit("hello-" + transientFailure);
      scenario.observe(run, new JobObservation.Running(scenario.now()));
      scenario.failed(run, Action.Type.START_JOB, "the answer was lost", transientFailure);
      assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.RUNNING);
      assertThat(scenario.actions(run)).allMatch(action -> action.state().finished());
      scenario.observe(run, scenario.exited(0));
      assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    }
  }

  @Test
  void reportsOfUnknownAndFinishedActionsChangeNothing() {
    String run = scenario.running("hello");
    scenario.startWorked(run);
    scenario.failed(run, Action.Type.START_JOB, "late", true);
    scenario.tell(new Message.ActionDue("nothing"));
    scenario.observe("r9999", new JobObservation.Absent());
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.RUNNING);
    assertThat(scenario.actions(run)).hasSize(1);
  }
}
