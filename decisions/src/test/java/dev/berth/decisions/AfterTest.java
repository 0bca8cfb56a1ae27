package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Job;
import dev.berth.model.RunReason;
import dev.berth.model.RunStatus;
import dev.berth.planning.testing.TaskBuilder;
import org.junit.jupiter.api.Test;

/** Runs that begin when other runs have succeeded. */
final class AfterTest {
  @Test
  void itBeginsWhenAllOfThemHaveSucceeded() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String first = scenario.running("first");
    String second = scenario.running("second");
    String third = scenario.submitAfter("third", TaskBuilder.task(), first, second);
    assertThat(scenario.run(third).status()).isEqualTo(RunStatus.PENDING);
    scenario.exit(second, 0, 0);
    assertThat(scenario.run(third).status()).isEqualTo(RunStatus.PENDING);
    assertThat(scenario.memory.children(Job.class, third)).isEmpty();
    scenario.exit(first, 0, 0);
    assertThat(scenario.run(third).status()).isEqualTo(RunStatus.PROVISIONING);
    scenario.startWorked(third);
    scenario.exit(third, 0, 0);
    assertThat(scenario.run(third).status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void aFailureGoesThroughTheWholeChain() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String first = scenario.running("first");
    String second = scenario.submitAfter("second", TaskBuilder.task(), first);
    String third = scenario.submitAfter("third", TaskBuilder.task(), second);
    scenario.exit(first, 0, 1);
    assertThat(scenario.run(second).reason()).isEqualTo(RunReason.DEPENDENCY_FAILED);
    assertThat(scenario.run(second).message())
        .isEqualTo("the run 'first' that it depends on failed");
    assertThat(scenario.run(third).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(third).message())
        .isEqualTo("the run 'second' that it depends on failed");
  }

  @Test
  void whoWaitsForBothEndsOfAChainEndsOnce() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String first = scenario.running("first");
    String second = scenario.submitAfter("second", TaskBuilder.task(), first);
    String third = scenario.submitAfter("third", TaskBuilder.task(), first, second);
    scenario.exit(first, 0, 1);
    assertThat(scenario.run(second).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.run(third).status()).isEqualTo(RunStatus.FAILED);
    assertThat(scenario.eventsOf(third)).containsOnlyOnce("run.ended");
  }

  @Test
  void whoWaitsForAStoppedRunIsToldSo() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String first = scenario.submit("first", TaskBuilder.task().cpus(16));
    String second = scenario.submitAfter("second", TaskBuilder.task(), first);
    scenario.stop("first");
    new Cloud(scenario).answer();
    assertThat(scenario.run(second).message())
        .isEqualTo("the run 'first' that it depends on was stopped");
  }

  @Test
  void whoWaitsCanBeStopped() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String first = scenario.running("first");
    String second = scenario.submitAfter("second", TaskBuilder.task(), first);
    scenario.stop("second");
    assertThat(scenario.run(second).status()).isEqualTo(RunStatus.TERMINATED);
    scenario.exit(first, 0, 0);
    assertThat(scenario.run(second).reason()).isEqualTo(RunReason.STOPPED_BY_USER);
  }

  @Test
  void aRunThatHasEndedIsNotWaitedFor() {
    Scenario scenario = Scenario.with(Machines.large("m1"));
    String first = scenario.running("first");
    scenario.exit(first, 0, 0);
    String second = scenario.submitAfter("second", TaskBuilder.task(), first);
    assertThat(scenario.run(second).status()).isEqualTo(RunStatus.PROVISIONING);
  }
}
