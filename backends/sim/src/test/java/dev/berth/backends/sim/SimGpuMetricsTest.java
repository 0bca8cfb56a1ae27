package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.job;
import static dev.berth.backends.sim.SimFixture.machine;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Place;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.GpuMetrics;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimGpuMetricsTest {
  private static final Place EIGHT =
      new Place("sim-north", "sim-north-a", "sim-a100-8", false, 17.6, "{}", null, null);

  private static Map<String, List<Integer>> use(SimFixture sim, String... jobs) {
    return sim.compute
        .gpuMetrics()
        .orElseThrow()
        .utilisation(Arrays.stream(jobs).map(job -> new GpuMetrics.Holder(job, Set.of())).toList());
  }

  @Test
  void containers_have_what_their_offer_has_and_are_busy() {
    SimFixture sim = SimFixture.of("");
    sim.jobs().start(job("gpus", "sleep 60").at(EIGHT));
    sim.jobs().start(job("none", "sleep 60"));
    assertThat(use(sim, "gpus")).as("it boots").isEmpty();
    sim.clock.passSeconds(2);
    assertThat(use(sim, "gpus", "none", "unknown"))
        .containsExactly(Map.entry("gpus", List.of(100, 100, 100, 100, 100, 100, 100, 100)));
    sim.clock.passSeconds(60);
    assertThat(use(sim, "gpus")).as("it ended").isEmpty();
  }

  @Test
  void jobs_on_machines_have_the_devices_that_they_were_given() {
    SimFixture sim = SimFixture.of("gives: machines");
    Found made = sim.create(machine("m", EIGHT));
    sim.clock.passSeconds(2);
    sim.jobs().start(job("a", "sleep 60").at(EIGHT.on(made.ref().id())));
    GpuMetrics.Holder two = new GpuMetrics.Holder("a", Set.of("0", "1"));
    assertThat(sim.compute.gpuMetrics().orElseThrow().utilisation(List.of(two)))
        .containsExactly(Map.entry("a", List.of(100, 100)));
    assertThat(use(sim, "a").get("a")).hasSize(8);
  }

  @Test
  void the_scenario_says_how_busy_and_for_how_long() {
    SimFixture sim = SimFixture.of("scenario: {gpu_load: {percent: 70, busy_for: 10s}}");
    sim.jobs().start(job("a", "sleep 60").at(EIGHT));
    sim.clock.passSeconds(2);
    assertThat(use(sim, "a").get("a")).containsOnly(70);
    sim.clock.passSeconds(9);
    assertThat(use(sim, "a").get("a")).containsOnly(70);
    sim.clock.passSeconds(1);
    assertThat(use(sim, "a").get("a")).containsOnly(0);
  }

  @Test
  void what_is_no_percentage_is_refused() {
    assertThatThrownBy(() -> SimFixture.of("scenario: {gpu_load: {percent: 101}}"))
        .isInstanceOf(BackendException.BadConfig.class)
        .hasMessageContaining("more than 100");
  }

  @Test
  void a_host_that_does_not_answer_hides_no_other() {
    SimFixture sim =
        SimFixture.of(
            "scenario: {faults: [{kind: unreachable_host, operation: start, calls: [1]}]}");
    sim.jobs().start(job("mute", "sleep 60").at(EIGHT));
    sim.jobs().start(job("seen", "sleep 60").at(EIGHT));
    sim.clock.passSeconds(2);
    assertThat(use(sim, "mute", "seen")).containsOnlyKeys("seen");
  }

  @Test
  void it_can_do_without() {
    assertThat(SimFixture.of("without: [gpu_metrics]").compute.gpuMetrics()).isEmpty();
  }
}
