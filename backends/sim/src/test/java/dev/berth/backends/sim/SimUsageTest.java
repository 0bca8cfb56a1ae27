package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.spi.BackendException;
import dev.berth.spi.JobUsage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SimUsageTest {
  private static JobUsage only(Map<String, JobUsage> told) {
    return told.values().iterator().next();
  }

  @Test
  void a_running_job_uses_one_processor() {
    SimFixture sim = SimFixture.of("");
    sim.jobs().start(job("a", "sleep 60"));
    assertThat(sim.jobs().usage(List.of("a"))).as("it boots").isEmpty();
    sim.clock.passSeconds(2);
    Duration before = only(sim.jobs().usage(List.of("a"))).processorTime();
    sim.clock.passSeconds(10);
    Map<String, JobUsage> after = sim.jobs().usage(List.of("a", "unknown"));
    assertThat(after).containsOnlyKeys("a");
    assertThat(only(after).processorTime()).isEqualTo(before.plusSeconds(10));
    assertThat(only(after).memoryBytes()).isPositive();
    sim.clock.passSeconds(60);
    assertThat(sim.jobs().usage(List.of("a"))).as("it ended").isEmpty();
  }

  @Test
  void whose_host_does_not_answer_has_none_and_others_have() {
    SimFixture sim =
        SimFixture.of(
            "scenario: {faults: [{kind: unreachable_host, operation: start, calls: [1]}]}");
    sim.jobs().start(job("mute", "sleep 60"));
    sim.jobs().start(job("seen", "sleep 60"));
    sim.clock.passSeconds(2);
    assertThat(sim.jobs().usage(List.of("mute", "seen"))).containsOnlyKeys("seen");
  }

  @Test
  void it_can_do_without() {
    SimFixture sim = SimFixture.of("without: [usage]");
    assertThatThrownBy(() -> sim.jobs().usage(List.of("a")))
        .isInstanceOf(BackendException.Unsupported.class);
  }
}
