package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.model.config.TimeLimit;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Stops and aborts, at every moment of a run's life. */
final class StopTest {
  private final Scenario scenario = Scenario.with(Machines.withSlots("m1", 1));

  @Test
  void aRunThatWaitsForAPlaceEndsAtOnce() {
    scenario.running("first");
    String waiting = scenario.submit("second");
    assertThat(scenario.run(waiting).status()).isEqualTo(RunStatus.SUBMITTED);
    assertThat(scenario.stop("second")).isEqualTo(new Reply.Accepted(waiting, "second"));

    assertThat(scenario.run(waiting).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.run(waiting).reason()).isEqualTo(RunReason.STOPPED_BY_USER);
    assertThat(scenario.attempt(waiting).reason()).isEqualTo(JobReason.TERMINATED_BY_USER);
    assertThat(scenario.placement(waiting).phase()).isEqualTo(Placement.State.CLOSED);
    assertThat(scenario.actions(waiting)).isEmpty();
  }

  @Test
  void aStopWhileTheStartIsUnderWayFollowsItsReport() {
    String run = scenario.submit("hello");
    scenario.stop("hello");
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATING);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.START_JOB);

    scenario.startWorked(run);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.STOP_JOB);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATING);
    scenario.worked(run, Action.Type.STOP_JOB);
    scenario.observe(run, scenario.exited(143, JobObservation.Cause.STOPPED));
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.STOPPED_BY_USER);
  }

  @Test
  void timeThatAJobRanIsPaidForEvenIfItsStartWasNeverDecided() {
    String run = scenario.submit("hello");
    scenario.stop("hello");
    JobObservation.Running running = new JobObservation.Running(scenario.now());
    scenario.later(Duration.ofHours(2));
    scenario.observe(
        run,
        new JobObservation.Exited(
            143, JobObservation.Cause.STOPPED, "", running.startedAt(), scenario.now()));
    assertThat(scenario.run(run).cost()).isEqualTo(2 * Machines.PRICE);
  }

  @Test
  void aStartThatFailsAfterAStopIsTakenBackAndNotTriedAgain() {
    for (boolean transientFailure : new boolean[] {true, false}) {
      String run = scenario.submit("hello-" + transientFailure);
      scenario.stop("hello-" + transientFailure);
      scenario.failed(run, Action.Type.START_JOB, "the machine is busy", transientFailure);
      assertThat(scenario.action(run, Action.Type.START_JOB).state())
          .isEqualTo(Action.State.FAILED);
      assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
      scenario.worked(run, Action.Type.KILL_JOB);
      scenario.observe(run, new JobObservation.Absent());
      assertThat(scenario.run(run).reason()).isEqualTo(RunReason.STOPPED_BY_USER);
      assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.TERMINATED_BY_USER);
    }
  }

  @Test
  void aStopRevokesAStartThatWaitsToBeRepeated() {
    String run = scenario.submit("hello");
    scenario.failed(run, Action.Type.START_JOB, "the machine is busy", true);
    scenario.stop("hello");
    assertThat(scenario.action(run, Action.Type.START_JOB).state()).isEqualTo(Action.State.REVOKED);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.STOP_JOB);
    scenario.worked(run, Action.Type.STOP_JOB);
    scenario.observe(run, new JobObservation.Absent());
    // The start that failed may still come to light, so what comes within a minute is killed.
    assertThat(scenario.run(run).active()).isTrue();
    scenario.pass(Duration.ofMinutes(1));
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.STOPPED_BY_USER);
  }

  @Test
  void aRunningJobIsStoppedWithItsGrace() {
    String run = scenario.running("hello");
    scenario.stop("hello");
    Action stop = scenario.action(run, Action.Type.STOP_JOB);
    assertThat(stop.operation()).isEqualTo(new Operation.StopJob(TaskBuilder.STOP_DURATION));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATING);
    assertThat(scenario.resource(run).phase()).isEqualTo(Resource.State.LEAVING);

    scenario.worked(run, Action.Type.STOP_JOB);
    assertThat(scenario.run(run).active()).isTrue();
    scenario.observe(run, scenario.exited(143, JobObservation.Cause.STOPPED));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.run(run).exitCode()).isNull();
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATED);
    assertThat(scenario.attempt(run).exitCode()).isEqualTo(143);
  }

  @Test
  void aJobWithoutAStopDurationMayTakeAsLongAsItWants() {
    TaskBuilder task = TaskBuilder.task();
    task.stopDuration = TimeLimit.OFF;
    String run = scenario.submit("hello", task);
    scenario.startWorked(run);
    scenario.stop("hello");
    scenario.worked(run, Action.Type.STOP_JOB);
    scenario.later(Duration.ofDays(365));
    scenario.tellWhatIsDue();
    assertThat(scenario.inFlight(run)).isEmpty();
  }

  @Test
  void aSecondStopChangesNothing() {
    String run = scenario.running("hello");
    scenario.stop("hello");
    int events = scenario.events.size();
    assertThat(scenario.stop("hello")).isEqualTo(new Reply.Accepted(run, "hello"));
    assertThat(scenario.events).hasSize(events);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.STOP_JOB);
  }

  @Test
  void anAbortAfterAStopKillsAsSoonAsTheStopIsReported() {
    String run = scenario.running("hello");
    scenario.stop("hello");
    scenario.abort("hello");
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.STOP_JOB);
    scenario.worked(run, Action.Type.STOP_JOB);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    scenario.worked(run, Action.Type.KILL_JOB);
    scenario.observe(run, scenario.exited(137, JobObservation.Cause.KILLED));
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.ABORTED_BY_USER);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.ABORTED);
  }

  @Test
  void anAbortDuringTheGraceKillsAtOnce() {
    String run = scenario.running("hello");
    scenario.stop("hello");
    scenario.worked(run, Action.Type.STOP_JOB);
    scenario.abort("hello");
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
  }

  @Test
  void anAbortRevokesAStopThatWaitsToBeRepeated() {
    String run = scenario.running("hello");
    scenario.stop("hello");
    scenario.failed(run, Action.Type.STOP_JOB, "the machine is busy", true);
    scenario.abort("hello");
    assertThat(scenario.action(run, Action.Type.STOP_JOB).state()).isEqualTo(Action.State.REVOKED);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
  }

  @Test
  void anAbortKillsWithoutAStop() {
    String run = scenario.running("hello");
    scenario.abort("hello");
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    scenario.worked(run, Action.Type.KILL_JOB);
    scenario.observe(run, scenario.exited(137, JobObservation.Cause.KILLED));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.run(run).message()).isEqualTo("aborted by the user");
  }

  @Test
  void anAbortWhileTheStartIsUnderWayKillsAfterItsReport() {
    String run = scenario.submit("hello");
    scenario.abort("hello");
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.START_JOB);
    scenario.startWorked(run);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
  }

  @Test
  void aStopAfterAnAbortStaysAnAbort() {
    String run = scenario.running("hello");
    scenario.abort("hello");
    scenario.stop("hello");
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.ABORTED_BY_USER);
  }

  @Test
  void aJobThatEndsByItselfDuringAStopKeepsItsEndAndTheRunItsReason() {
    String run = scenario.running("hello");
    scenario.stop("hello");
    scenario.observe(run, scenario.exited(0));
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.DONE_BY_RUNNER);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.STOPPED_BY_USER);
    scenario.worked(run, Action.Type.STOP_JOB);
    assertThat(scenario.inFlight(run)).isEmpty();
  }

  @Test
  void aStopThatIsOverdueBecomesAKillAgainAndAgain() {
    String run = scenario.running("hello");
    scenario.stop("hello");
    scenario.worked(run, Action.Type.STOP_JOB);
    scenario.later(TaskBuilder.STOP_DURATION);
    scenario.tellWhatIsDue();
    assertThat(scenario.inFlight(run)).as("the machine gets some slack").isEmpty();
    for (int i = 0; i < 3; i++) {
      scenario.later(Duration.ofSeconds(30));
      scenario.tellWhatIsDue();
      assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
      scenario.worked(run, Action.Type.KILL_JOB);
    }
    scenario.observe(run, scenario.exited(137, JobObservation.Cause.KILLED));
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.TERMINATED_BY_USER);
  }

  @Test
  void whatHasEndedOrNeverWasCannotBeStopped() {
    String run = scenario.running("hello");
    scenario.observe(run, scenario.exited(0));
    assertThat(scenario.stop("hello"))
        .isEqualTo(new Reply.Refused(Reply.Code.NOT_FOUND, "no run 'hello' is active"));
    assertThat(scenario.abort("other"))
        .isEqualTo(new Reply.Refused(Reply.Code.NOT_FOUND, "no run 'other' is active"));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void aRunThatIsSubmittedAndStoppedInOneBatchNeverStarts() {
    Message.Submit submission = scenario.submission("hello", TaskBuilder.task());
    scenario.tell(submission, new Message.Stop(Scenario.PROJECT, "hello", false, "ann"));
    assertThat(scenario.run(submission.runId()).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.actions(submission.runId())).isEmpty();
  }
}
