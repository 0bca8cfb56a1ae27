package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.JobObservation;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.model.Operation;
import dev.berth.model.RunStatus;
import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.SpotPolicy;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What follows when a provider says that it will take a machine back. */
final class InterruptionsTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final Scenario scenario = Cloud.selling(Offers.spotMachine("brief", 1));
  private final Cloud cloud = new Cloud(scenario);

  private String running(TaskBuilder task) {
    String run = scenario.submit("hello", task.spot(SpotPolicy.AUTO));
    cloud.run();
    return run;
  }

  private String machineOf(String run) {
    return scenario.machineOf(run, 0).id();
  }

  private Instant in(int seconds) {
    return scenario.now().plusSeconds(seconds);
  }

  @ParameterizedTest(name = "{0} s left: {1} s")
  @CsvSource({"120, 120", "600, 300", "0, 0", "-5, 0"})
  void theJobIsToldToStopInTheTimeThatIsLeft(int left, int grace) {
    String run = running(TaskBuilder.task());
    cloud.notice(machineOf(run), in(left));
    Attempt attempt = scenario.attempt(run);
    assertThat(attempt.status()).isEqualTo(JobStatus.TERMINATING);
    assertThat(attempt.reason()).isEqualTo(JobReason.INTERRUPTED_BY_NO_CAPACITY);
    Action stop = scenario.flying(attempt.id());
    assertThat(stop.operation()).isEqualTo(new Operation.StopJob(Duration.ofSeconds(grace)));
    assertThat(scenario.eventsOf(attempt.id())).containsOnlyOnce("attempt.interruption");
    assertThat(scenario.eventsOf(machineOf(run))).containsOnlyOnce("instance.interruption");
  }

  @Test
  void theRunIsTriedAgainElsewhereAndTheMachineIsGivenBack() {
    String run = running(TaskBuilder.task().retrying(DAY, RetryEvent.INTERRUPTION));
    String machine = machineOf(run);
    cloud.notice(machine, in(120));
    cloud.answer();
    Attempt first = scenario.attempts(run, 0).getFirst();
    assertThat(first.reason()).isEqualTo(JobReason.INTERRUPTED_BY_NO_CAPACITY);
    assertThat(first.message()).startsWith("the provider takes the machine back at ");
    assertThat(scenario.eventsOf(machine))
        .containsSubsequence("instance.interruption", "instance.leaving", "instance.gone");
    assertThat(scenario.memory.active(Instance.class)).isEmpty();
    scenario.pass(Duration.ofSeconds(15));
    cloud.run();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(scenario.attempt(run).number()).isEqualTo(2);
    assertThat(machineOf(run)).isNotEqualTo(machine);
  }

  @Test
  void itEndsTheRunWhereInterruptionsAreNotRetried() {
    String run = running(TaskBuilder.task().retrying(DAY, RetryEvent.ERROR));
    cloud.notice(machineOf(run), in(120));
    cloud.answer();
    assertThat(scenario.run(run).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void aMachineThatWillBeTakenBackTakesNobody() {
    String run = running(TaskBuilder.task());
    String machine = machineOf(run);
    cloud.notice(machine, in(120));
    String second = scenario.submit("second", TaskBuilder.task().spot(SpotPolicy.AUTO));
    assertThat(scenario.attempt(second).instanceId()).isNotEqualTo(machine);
  }

  @Test
  void anIdleMachineIsGivenBackAtOnce() {
    String run = running(TaskBuilder.task());
    scenario.exit(run, 0, 0);
    String machine = machineOf(run);
    cloud.notice(machine, in(120));
    assertThat(scenario.machineOf(run, 0).status()).isEqualTo(Instance.Status.TERMINATING);
    assertThat(scenario.eventsOf(machine)).contains("instance.interruption", "instance.leaving");
  }

  @Test
  void whatIsSaidTwiceIsToldOnce() {
    String run = running(TaskBuilder.task());
    String machine = machineOf(run);
    cloud.notice(machine, in(120));
    cloud.notice(machine, in(119));
    assertThat(scenario.eventsOf(machine)).containsOnlyOnce("instance.interruption");
    assertThat(scenario.eventsOf(scenario.attempt(run).id()))
        .containsOnlyOnce("attempt.interruption");
  }

  @Test
  void aRentedJobIsToldToo() {
    scenario.market = Offers.market(Offers.container("brief", 1));
    String run = scenario.submit("hello");
    cloud.run();
    Attempt attempt = scenario.attempt(run);
    scenario.tell(
        new Message.Observed(
            attempt.id(), new JobObservation.Running(scenario.now(), List.of(), in(20))));
    assertThat(scenario.flying(attempt.id()).operation())
        .isEqualTo(new Operation.StopJob(Duration.ofSeconds(20)));
    cloud.answer();
    assertThat(scenario.attempt(run).reason()).isEqualTo(JobReason.INTERRUPTED_BY_NO_CAPACITY);
  }
}
