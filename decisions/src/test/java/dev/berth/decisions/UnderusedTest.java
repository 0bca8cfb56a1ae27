package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.RunReason;
import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.UtilizationPolicy;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of jobs that leave their accelerators idle. */
final class UnderusedTest {
  private static final UtilizationPolicy POLICY = new UtilizationPolicy(10, Duration.ofMinutes(5));

  private final Scenario scenario =
      Scenario.with(Machines.withGpus("m1", Machines.gpu("g1", "A100", 40_960)));

  private static TaskBuilder task() {
    TaskBuilder task = TaskBuilder.task().gpus(1);
    task.utilization = POLICY;
    return task;
  }

  private void underused(String run) {
    scenario.tell(new Message.Underused(scenario.attempt(run).id()));
  }

  @Test
  void itIsStoppedInOrderAndEndsForThatReason() {
    String run = scenario.submit("idle", task());
    scenario.startWorked(run);
    underused(run);
    Action stop = scenario.flying(scenario.attempt(run).id());
    assertThat(stop.operation()).isEqualTo(new Operation.StopJob(TaskBuilder.STOP_DURATION));
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATING);

    underused(run);
    assertThat(scenario.flying(scenario.attempt(run).id())).as("told again").isEqualTo(stop);

    scenario.observe(run, scenario.exited(143, JobObservation.Cause.STOPPED));
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.TERMINATED);
    assertThat(scenario.attempt(run).reason())
        .isEqualTo(JobReason.TERMINATED_DUE_TO_UTILIZATION_POLICY);
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.JOB_FAILED);
    assertThat(scenario.run(run).message())
        .isEqualTo("the utilization of one of its accelerators was below 10 percent for 5 minutes");
  }

  @Test
  void itIsNotRetried() {
    String run = scenario.submit("idle", task().retrying(Duration.ofHours(1), RetryEvent.values()));
    scenario.startWorked(run);
    underused(run);
    scenario.observe(run, scenario.exited(143, JobObservation.Cause.STOPPED));
    assertThat(scenario.run(run).reason()).isEqualTo(RunReason.JOB_FAILED);
    assertThat(scenario.attempts(run, 0)).hasSize(1);
  }

  @Test
  void whatDoesNotRunOrHasNoPolicyIsLeftAlone() {
    String starting = scenario.submit("starting", task());
    underused(starting);
    assertThat(scenario.attempt(starting).status()).isEqualTo(JobStatus.PROVISIONING);
    scenario.tell(new Message.Underused("nobody"));

    String free = scenario.submit("free");
    scenario.startWorked(free);
    underused(free);
    assertThat(scenario.attempt(free).status()).isEqualTo(JobStatus.RUNNING);

    scenario.startWorked(starting);
    scenario.observe(starting, scenario.exited(0));
    underused(starting);
    assertThat(scenario.attempt(starting).reason()).isEqualTo(JobReason.DONE_BY_RUNNER);
  }

  @Test
  void theUserWinsWhoStopsItFirst() {
    String run = scenario.submit("idle", task());
    scenario.startWorked(run);
    scenario.stop("idle");
    underused(run);
    scenario.observe(run, scenario.exited(143, JobObservation.Cause.STOPPED));
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.TERMINATED_BY_USER);
  }
}
