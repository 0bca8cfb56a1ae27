package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.berth.model.ActionOutcome;
import dev.berth.model.Attempt;
import dev.berth.model.Job;
import dev.berth.model.JobObservation;
import dev.berth.model.RunStatus;
import dev.berth.model.config.RetryEvent;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of many replicas, whose jobs are made when there is room for them; and what runs cost. */
final class ReplicasTest {
  @Test
  void tenThousandReplicasNeverHaveMoreJobsThanTheWindowAndAllOfThemRun() {
    int all = 10_000;
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 500));
    String run = scenario.submit("many", TaskBuilder.task(), all);
    int rounds = 0;
    while (scenario.run(run).active()) {
      assertThat(scenario.memory.active(Job.class)).hasSizeLessThanOrEqualTo(Replicas.MOST_AT_ONCE);
      List<Message> batch = new ArrayList<>();
      for (Attempt attempt : scenario.memory.active(Attempt.class)) {
        batch.add(
            new Message.ActionReported(
                attempt.id() + "-start", new ActionOutcome.Done(scenario.now())));
        batch.add(new Message.Observed(attempt.id(), scenario.exited(0)));
      }
      scenario.tell(batch.toArray(Message[]::new));
      assertThat(++rounds).isLessThan(200);
    }
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.DONE);
    assertThat(scenario.memory.all(Attempt.class).filter(one -> one.startedAt() != null))
        .hasSize(all);
  }

  @Test
  void aFailureMakesNoMoreOfThem() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 500));
    String run = scenario.submit("many", TaskBuilder.task(), 1000);
    Cloud cloud = new Cloud(scenario);
    cloud.answer();
    scenario.tell(new Message.Observed(run + "-7-0-1", scenario.exited(5)));
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(run).exitCode()).isEqualTo(5);
    assertThat(scenario.memory.all(Job.class)).hasSize(Replicas.MOST_AT_ONCE);
  }

  @Test
  void stoppingMakesNoMoreOfThem() {
    Scenario scenario = Scenario.with(Machines.withSlots("m1", 50));
    String run = scenario.submit("many", TaskBuilder.task(), 1000);
    Cloud cloud = new Cloud(scenario);
    cloud.answer();
    scenario.stop("many");
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.TERMINATED);
    assertThat(scenario.memory.all(Attempt.class).filter(one -> one.startedAt() != null))
        .hasSize(50);
  }

  @Test
  void theCostOfARunIsTheSumOfItsTries() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String run =
        scenario.submit("hello", TaskBuilder.task().retrying(Duration.ofDays(1), RetryEvent.ERROR));
    scenario.startWorked(run);
    scenario.later(Duration.ofMinutes(20));
    scenario.tell(
        new Message.Observed(
            scenario.attempt(run).id(),
            new JobObservation.Exited(
                1, JobObservation.Cause.EXITED, "", Scenario.BEGIN, scenario.now())));
    assertThat(scenario.run(run).cost()).isCloseTo(Machines.PRICE / 3, offset(1e-9));
    scenario.pass(Duration.ofMinutes(10));
    scenario.report(
        scenario.flying(scenario.attempt(run).id()), new ActionOutcome.Done(scenario.now()));
    scenario.later(Duration.ofMinutes(40));
    scenario.exit(run, 0, 0);
    assertThat(scenario.run(run).cost())
        .as("neither the time in line nor the pause costs")
        .isCloseTo(Machines.PRICE, offset(1e-9));
  }
}
