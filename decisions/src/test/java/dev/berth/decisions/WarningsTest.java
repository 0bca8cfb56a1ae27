package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.JobObservation;
import dev.berth.model.JobStatus;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of what a backend could not give. */
final class WarningsTest {
  private final Scenario scenario = Scenario.with(Machines.large("m1"));

  private JobObservation running(String... warnings) {
    return new JobObservation.Running(scenario.now(), List.of(warnings));
  }

  private List<Object> told(String run) {
    return scenario.events.stream()
        .filter(event -> event.kind().equals("attempt.warned"))
        .filter(event -> event.entityId().equals(scenario.attempt(run).id()))
        .map(event -> event.data().get("message"))
        .toList();
  }

  @Test
  void eachSentenceIsKeptAndToldOnce() {
    String run = scenario.submit("train");
    scenario.startWorked(run);
    scenario.observe(run, running("no ulimit"));
    scenario.observe(run, running("no ulimit"));
    scenario.observe(run, running("no ulimit", "an old image"));
    assertThat(scenario.attempt(run).warnings()).containsExactly("no ulimit", "an old image");
    assertThat(told(run)).containsExactly("no ulimit", "an old image");
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void whatWasOverBeforeAnybodyLookedIsKeptToo() {
    String run = scenario.submit("short");
    scenario.observe(
        run,
        new JobObservation.Exited(
            0,
            JobObservation.Cause.EXITED,
            "",
            scenario.now(),
            scenario.now(),
            List.of("no ulimit")));
    assertThat(scenario.attempt(run).status()).isEqualTo(JobStatus.DONE);
    assertThat(scenario.attempt(run).warnings()).containsExactly("no ulimit");
    assertThat(told(run)).containsExactly("no ulimit");
  }

  @Test
  void aBackendCannotFillTheLedgerWithThem() {
    String run = scenario.submit("train");
    scenario.startWorked(run);
    String[] many =
        IntStream.range(0, 3 * Warnings.MOST).mapToObj(Integer::toString).toArray(String[]::new);
    scenario.observe(run, running(many));
    assertThat(scenario.attempt(run).warnings()).hasSize(Warnings.MOST);
    assertThat(told(run)).hasSize(Warnings.MOST);
  }
}
