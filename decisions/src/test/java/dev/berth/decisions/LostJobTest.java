package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Jobs whose runner died, or which their machine does not know any more. */
final class LostJobTest {
  private final Scenario scenario = Scenario.with(Machines.large("m1"));

  @Test
  void aLostJobIsKilledBeforeItsAttemptFails() {
    String run = scenario.running("hello");
    scenario.observe(run, new JobObservation.Lost("the runner is gone"));

    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATING);
    assertThat(scenario.job(run).status()).isEqualTo(JobStatus.TERMINATING);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    assertThat(scenario.machine("m1").allocations()).isNotEmpty();

    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.FAILED);
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.EXECUTOR_ERROR);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).message()).isEqualTo("the runner is gone");
  }

  @Test
  void losingItTwiceIsLosingItOnce() {
    String run = scenario.running("hello");
    scenario.observe(run, new JobObservation.Lost("the runner is gone"));
    scenario.observe(run, new JobObservation.Lost("the runner is gone"));
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    scenario.worked(run, Action.Type.KILL_JOB);
    scenario.observe(run, new JobObservation.Lost("the runner is gone"));
    assertThat(scenario.run(run).active()).isFalse();
    assertThat(scenario.inFlight(run)).isEmpty();
  }

  @Test
  void aKillThatDoesNotWorkIsRepeatedUntilItDoes() {
    String run = scenario.running("hello");
    scenario.observe(run, new JobObservation.Lost("the runner is gone"));
    for (int i = 0; i < 30; i++) {
      scenario.failed(run, Action.Type.KILL_JOB, "permission denied", false);
      assertThat(scenario.inFlight(run)).isEmpty();
      assertThat(scenario.attempt(run).active()).isTrue();
      scenario.later(Duration.ofMinutes(10));
      scenario.tellWhatIsDue();
      assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    }
    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.run(run).active()).isFalse();
  }

  @Test
  void aJobThatItsMachineDoesNotKnowAnyMoreHasFailed() {
    String run = scenario.running("hello");
    scenario.observe(run, new JobObservation.Absent());
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.EXECUTOR_ERROR);
    assertThat(scenario.run(run).message()).isEqualTo("the machine no longer knows the job");
    assertThat(scenario.inFlight(run)).isEmpty();
  }

  @Test
  void aJobThatIsBeingStartedMayBeAbsent() {
    String run = scenario.submit("hello");
    scenario.observe(run, new JobObservation.Absent());
    scenario.observe(run, new JobObservation.Prepared());
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.PROVISIONING);
    scenario.startWorked(run);
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void aStoppedJobThatIsAbsentWasStopped() {
    String run = scenario.running("hello");
    scenario.stop("hello");
    scenario.observe(run, new JobObservation.Absent());
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.TERMINATED_BY_USER);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.STOPPED_BY_USER);
  }

  @Test
  void aJobThatIsLostDuringItsStartIsKilledAfterTheStartsReport() {
    String run = scenario.submit("hello");
    scenario.observe(run, new JobObservation.Lost("the runner is gone"));
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.START_JOB);
    scenario.startWorked(run);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.EXECUTOR_ERROR);
  }

  @Test
  void aJobThatIsLostWhileItsStartWaitsToBeRepeatedIsKilledAtOnce() {
    String run = scenario.submit("hello");
    scenario.failed(run, Action.Type.START_JOB, "the answer was lost", true);
    scenario.observe(run, new JobObservation.Lost("the runner is gone"));
    assertThat(scenario.action(run, Action.Type.START_JOB).state()).isEqualTo(Action.State.REVOKED);
    assertThat(scenario.inFlight(run)).containsExactly(Action.Type.KILL_JOB);
    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.run(run).active()).isFalse();
  }

  @Test
  void anAbortDuringTheKillOfALostJobStillEndsWithTheKill() {
    String run = scenario.running("hello");
    scenario.observe(run, new JobObservation.Lost("the runner is gone"));
    scenario.abort("hello");
    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.EXECUTOR_ERROR);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.ABORTED_BY_USER);
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
  }

  @Test
  void theEndThatWasSeenAfterAllCounts() {
    String run = scenario.running("hello");
    scenario.observe(run, new JobObservation.Lost("the runner is gone"));
    scenario.observe(run, scenario.exited(137, JobObservation.Cause.KILLED));
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.EXECUTOR_ERROR);
    assertThat(scenario.attempt(run).exitCode()).isEqualTo(137);
    scenario.worked(run, Action.Type.KILL_JOB);
    assertThat(scenario.inFlight(run)).isEmpty();
  }
}
