package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.model.Action;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.model.config.TimeLimit;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From the submission of a task to its end by itself. */
final class TaskLifeTest {
  private final Scenario scenario = Scenario.with(Machines.large("m1"));

  @Test
  void aSubmittedTaskIsPlacedAndItsStartIsAskedFor() {
    Message.Submit submission = scenario.submission("hello", TaskBuilder.task());
    Reply reply = scenario.tell(submission);
    String run = submission.runId();

    assertThat(reply).isEqualTo(new Reply.Accepted(run, "hello"));
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.PROVISIONING);
    assertThat(scenario.job(run).status()).isEqualTo(JobStatus.PROVISIONING);
    assertThat(scenario.job(run).master()).isTrue();
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.PROVISIONING);
    assertThat(scenario.attempt(run).backend()).isEqualTo(Machines.BACKEND);
    assertThat(scenario.placement(run).phase()).isEqualTo(Placement.State.CREATING);
    assertThat(scenario.resource(run).phase()).isEqualTo(Resource.State.ASKED);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.START_JOB);
    assertThat(scenario.machine("m1").status()).isEqualTo(Instance.Status.BUSY);
  }

  @Test
  void theStartsReportMakesItRun() {
    String run = scenario.submit("hello");
    scenario.later(Duration.ofSeconds(2));
    scenario.startWorked(run);

    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.RUNNING);
    assertThat(scenario.attempt(run).startedAt()).isEqualTo(scenario.now());
    assertThat(scenario.placement(run).phase()).isEqualTo(Placement.State.READY);
    assertThat(scenario.resource(run).phase()).isEqualTo(Resource.State.PRESENT);
    assertThat(scenario.inFlight(run)).isEmpty();
  }

  @Test
  void exitCodeZeroMakesItDone() {
    String run = scenario.running("hello");
    scenario.later(Duration.ofMinutes(1));
    scenario.observe(run, scenario.exited(0));

    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.ALL_JOBS_DONE);
    assertThat(scenario.run(run).exitCode()).isZero();
    assertThat(scenario.run(run).message()).isNull();
    assertThat(scenario.run(run).finishedAt()).isEqualTo(scenario.now());
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.DONE_BY_RUNNER);
    assertThat(scenario.job(run).status()).isEqualTo(JobStatus.DONE);
    assertThat(scenario.placement(run).phase()).isEqualTo(Placement.State.CLOSED);
    assertThat(scenario.resource(run).phase()).isEqualTo(Resource.State.GONE);
    assertThat(scenario.machine("m1").allocations()).isEmpty();
    assertThat(scenario.eventsOf(run))
        .containsExactly("run.submitted", "run.status", "run.status", "run.ended");
    assertThat(scenario.eventsOf(Scenario.attemptId(run)))
        .containsExactly("attempt.placed", "attempt.started", "attempt.ended");
  }

  @Test
  void aCommandThatFailsFailsTheRunWithItsExitCode() {
    String run = scenario.running("hello");
    scenario.observe(run, scenario.exited(3));

    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.JOB_FAILED);
    assertThat(scenario.run(run).exitCode()).isEqualTo(3);
    assertThat(scenario.run(run).message()).isEqualTo("the commands ended with exit code 3");
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.FAILED);
    assertThat(scenario.attempt(run).exitCode()).isEqualTo(3);
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.CONTAINER_EXITED_WITH_ERROR);
  }

  @ParameterizedTest
  @CsvSource({
    "EXITED, 0, DONE_BY_RUNNER, ALL_JOBS_DONE, true",
    "EXITED, 137, CONTAINER_EXITED_WITH_ERROR, JOB_FAILED, true",
    "OUT_OF_MEMORY, 137, CONTAINER_EXITED_WITH_ERROR, JOB_FAILED, true",
    "MAX_DURATION_EXCEEDED, 143, MAX_DURATION_EXCEEDED, JOB_FAILED, false",
    "STOPPED, 143, TERMINATED_BY_SERVER, JOB_FAILED, false",
    "KILLED, 137, TERMINATED_BY_SERVER, JOB_FAILED, false",
    "START_FAILED, 127, CREATING_CONTAINER_ERROR, JOB_FAILED, false"
  })
  void everyCauseOfAnEndHasItsReason(
      JobObservation.Cause cause, int code, JobReason reason, RunReason runReason, boolean own) {
    String run = scenario.running("hello");
    scenario.observe(run, scenario.exited(code, cause));

    assertThat(scenario.attempt(run).reason()).isEqualTo(reason);
    assertThat(scenario.attempt(run).status()).isEqualTo(reason.end());
    assertThat(scenario.attempt(run).exitCode()).isEqualTo(code);
    assertThat(scenario.run(run).reason()).isEqualTo(runReason);
    assertThat(scenario.run(run).exitCode()).isEqualTo(own ? code : null);
    if (runReason == RunReason.JOB_FAILED) {
      assertThat(scenario.run(run).message()).isNotBlank();
    }
  }

  @Test
  void maxDurationIsToldInASentence() {
    String run = scenario.running("hello");
    scenario.observe(run, scenario.exited(143, JobObservation.Cause.MAX_DURATION_EXCEEDED));
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATED);
    assertThat(scenario.run(run).message()).isEqualTo("it ran for as long as allowed");
  }

  @Test
  void theServerEndsWhatTheRunnerDoesNotEndInTime() {
    TaskBuilder task = TaskBuilder.task();
    task.maxDuration = TimeLimit.of(Duration.ofHours(1));
    String run = scenario.submit("hello", task);
    scenario.startWorked(run);
    scenario.pass(Duration.ofMinutes(61));
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.RUNNING);
    scenario.pass(Duration.ofMinutes(1));
    Action stop = scenario.flying(scenario.attempt(run).id());
    assertThat(stop.type()).isEqualTo(Action.Type.STOP_JOB);
    scenario.observe(run, scenario.exited(143, JobObservation.Cause.STOPPED));
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.MAX_DURATION_EXCEEDED);
  }

  @Test
  void tooLittleMemoryIsToldInASentence() {
    String run = scenario.running("hello");
    scenario.observe(run, scenario.exited(137, JobObservation.Cause.OUT_OF_MEMORY));
    assertThat(scenario.run(run).message()).isEqualTo("the job exceeded its memory limit");
  }

  @Test
  void theMachinesOwnWordsComeFirst() {
    String run = scenario.running("hello");
    scenario.observe(
        run,
        new JobObservation.Exited(
            127,
            JobObservation.Cause.EXITED,
            "zsh: command not found",
            scenario.now(),
            scenario.now()));
    assertThat(scenario.run(run).message()).isEqualTo("zsh: command not found");
  }

  @Test
  void anEndDoesNotLieInTheFuture() {
    String run = scenario.running("hello");
    scenario.observe(
        run,
        new JobObservation.Exited(
            0, JobObservation.Cause.EXITED, "", scenario.now(), scenario.now().plusSeconds(90)));
    assertThat(scenario.run(run).finishedAt()).isEqualTo(scenario.now());
  }

  @Test
  void theTimeItRanCostsTheMachinesPrice() {
    String run = scenario.running("hello");
    assertThat(scenario.attempt(run).price()).isEqualTo(Machines.PRICE);
    scenario.later(Duration.ofMinutes(30));
    JobObservation.Exited exited = scenario.exited(0);
    scenario.later(Duration.ofMinutes(10));
    scenario.observe(run, exited);
    assertThat(scenario.run(run).cost()).isEqualTo(Machines.PRICE / 2);
  }

  @Test
  void aStartThatWasRepeatedCountsFromTheFirst() {
    String run = scenario.submit("hello");
    Instant started = scenario.now();
    scenario.later(Duration.ofMinutes(3));
    JobObservation.Exited exited =
        new JobObservation.Exited(0, JobObservation.Cause.EXITED, "", started, scenario.now());
    // The server died before it could report the start, and the next one repeats it.
    scenario.later(Duration.ofMinutes(1));
    scenario.startWorked(run);
    scenario.observe(run, exited);
    assertThat(scenario.attempt(run).startedAt()).isEqualTo(started);
    assertThat(scenario.attempt(run).finishedAt()).isEqualTo(exited.endedAt());
    assertThat(scenario.run(run).cost()).isCloseTo(Machines.PRICE / 20, within(1e-9));
  }

  @Test
  void whatNeverRanCostsNothing() {
    String run = scenario.submit("hello");
    scenario.later(Duration.ofHours(1));
    scenario.failed(run, Action.Type.START_JOB, "no such shell", false);
    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.run(run).cost()).isZero();
  }

  @Test
  void anEndTellsStatusReasonMessageAndExitCode() {
    String run = scenario.running("hello");
    scenario.observe(run, scenario.exited(3));
    assertThat(scenario.events.stream().filter(event -> event.kind().equals("attempt.ended")))
        .singleElement()
        .extracting(Event::data)
        .isEqualTo(
            Map.of(
                "status", "failed",
                "reason", "container_exited_with_error",
                "message", "the commands ended with exit code 3",
                "exit_code", 3,
                "run", "hello"));
  }
}
