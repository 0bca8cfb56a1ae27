package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.OWNER;
import static dev.berth.backends.sim.SimFixture.PLACE;
import static dev.berth.backends.sim.SimFixture.job;
import static dev.berth.backends.sim.SimFixture.machine;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.JobObservation;
import dev.berth.model.Refusal;
import dev.berth.spi.BackendException;
import dev.berth.spi.CallLimits;
import dev.berth.spi.Found;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the simulated cloud shows or says later than it could. */
final class LateAnswersTest {
  private static final String MACHINES = "gives: machines\nscenario: {boot_time: 2s, ";

  private static SimFixture machines(String scenario) {
    return SimFixture.of(MACHINES + scenario + "}");
  }

  @Test
  void what_is_new_is_not_described_for_a_while() {
    SimFixture sim = machines("faults: [{kind: lagging_describe, probability: 1, lasts: 10s}]");
    Found made = sim.create(machine("m", PLACE));
    assertThat(made.state()).as("the answer itself tells").isEqualTo(Found.State.CREATING);
    sim.clock.passSeconds(9);
    assertThat(sim.provisioner().describe(made.ref())).isEmpty();
    assertThat(sim.provisioner().describe(List.of(made.ref())).getFirst()).isEmpty();
    assertThat(sim.listed()).as("only describe lags").hasSize(1);
    sim.clock.passSeconds(1);
    assertThat(sim.state(made.ref())).isEqualTo(Found.State.READY);
  }

  @Test
  void a_delete_does_not_meet_what_is_too_new_and_says_nothing() {
    SimFixture sim = machines("faults: [{kind: lagging_describe, probability: 1, lasts: 10s}]");
    Found made = sim.create(machine("m", PLACE));
    sim.provisioner().delete(made.ref());
    sim.clock.passSeconds(10);
    assertThat(sim.state(made.ref())).isEqualTo(Found.State.READY);
    sim.provisioner().delete(made.ref());
    assertThat(sim.state(made.ref())).isEqualTo(Found.State.LEAVING);
  }

  @Test
  void a_new_job_is_absent_for_a_while() {
    SimFixture sim =
        SimFixture.of("scenario: {faults: [{kind: lagging_describe, calls: [1], lasts: 10s}]}");
    sim.jobs().start(job("a-1", "sleep 60"));
    assertThat(sim.observe("a-1")).isInstanceOf(JobObservation.Absent.class);
    assertThat(sim.observe("a-1")).isNotInstanceOf(JobObservation.Absent.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"token", "unique_name", "lookup"})
  void the_identity_says_how_long_describe_may_lag(String identity) {
    String fault = "faults: [{kind: lagging_describe, probability: 0.1, lasts: 40s}]";
    SimFixture sim = SimFixture.of("identity: " + identity + "\nscenario: {" + fault + "}");
    assertThat(sim.compute.identity().visibleWithin()).isEqualTo(Duration.ofSeconds(40));
    SimFixture wrong =
        SimFixture.of(
            "identity: " + identity + "\nscenario: {declared_visible_within: 3s, " + fault + "}");
    assertThat(wrong.compute.identity().visibleWithin()).isEqualTo(Duration.ofSeconds(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"token", "unique_name"})
  void a_calm_cloud_shows_at_once_what_it_made(String identity) {
    SimFixture sim = SimFixture.of("identity: " + identity);
    assertThat(sim.compute.identity().visibleWithin()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void what_is_refused_late_is_shown_as_refused_and_not_there(Refusal reason) {
    SimFixture sim =
        machines(
            "faults: [{kind: late_refusal, calls: [1], lasts: 5s, reason: %s}]"
                .formatted(reason.word()));
    Found made = sim.create(machine("m", PLACE));
    assertThat(made.state()).isEqualTo(Found.State.CREATING);
    sim.clock.passSeconds(4);
    assertThat(sim.state(made.ref())).as("not ready before").isEqualTo(Found.State.CREATING);
    assertThat(sim.compute.cloud().holdings()).hasSize(1);
    sim.clock.passSeconds(1);
    Found refused = sim.provisioner().describe(made.ref()).orElseThrow();
    assertThat(refused.state()).isEqualTo(Found.State.REFUSED);
    assertThat(refused.refusal()).isEqualTo(reason);
    assertThat(refused.detail()).contains("refused");
    assertThat(sim.listed()).isEmpty();
    assertThat(sim.compute.cloud().holdings()).isEmpty();
    sim.provisioner().delete(made.ref());
    assertThat(sim.state(made.ref())).as("as it was").isEqualTo(Found.State.REFUSED);
  }

  @Test
  void who_asks_again_with_a_refused_token_is_told_so() {
    SimFixture sim = machines("faults: [{kind: late_refusal, calls: [1], lasts: 5s}]");
    Found made = sim.create(machine("m", PLACE));
    sim.clock.passSeconds(5);
    Found again = sim.create(machine("m", PLACE));
    assertThat(again.ref()).isEqualTo(made.ref());
    assertThat(again.refusal()).isEqualTo(Refusal.NO_CAPACITY);
  }

  @Test
  void what_is_deleted_before_it_is_refused_is_gone() {
    SimFixture sim = machines("faults: [{kind: late_refusal, calls: [1], lasts: 5s}]");
    Found made = sim.create(machine("m", PLACE));
    sim.provisioner().delete(made.ref());
    sim.clock.passSeconds(6);
    assertThat(sim.provisioner().describe(made.ref())).isEmpty();
    assertThat(sim.listed()).isEmpty();
  }

  @Test
  void a_refusal_is_remembered_by_the_file(@TempDir Path directory) {
    SettableClock clock = new SettableClock();
    String yaml =
        MACHINES
            + "launches: {every: 1m}, faults: [{kind: late_refusal, calls: [1], reason: quota}]}";
    SimFixture sim = SimFixture.in(directory, clock, yaml);
    Found made = sim.create(machine("m", PLACE));
    clock.passSeconds(10);
    SimFixture later = SimFixture.in(directory, clock, yaml);
    assertThat(later.provisioner().describe(made.ref()).orElseThrow().refusal())
        .isEqualTo(Refusal.QUOTA);
    assertThatThrownBy(() -> later.create(machine("n", PLACE)))
        .as("so are the launches")
        .isInstanceOf(BackendException.RateLimited.class);
  }

  @Test
  void launches_above_the_limit_are_refused_with_a_delay() {
    SimFixture sim = machines("launches: {every: 12s, burst: 2}");
    assertThat(sim.compute.callLimits().launches()).isEqualTo(new CallLimits.Launches(1 / 12.0, 2));
    Found first = sim.create(machine("a", PLACE));
    sim.create(machine("b", PLACE));
    assertThat(sim.create(machine("a", PLACE)).ref())
        .as("to ask again for what is there launches nothing")
        .isEqualTo(first.ref());
    sim.clock.passSeconds(2);
    assertThatThrownBy(() -> sim.create(machine("c", PLACE)))
        .isInstanceOfSatisfying(
            BackendException.RateLimited.class,
            limited -> assertThat(limited.delay()).isEqualTo(Duration.ofSeconds(10)));
    assertThat(sim.provisioner().list(OWNER).found()).as("reads are not limited").hasSize(2);
    sim.clock.passSeconds(10);
    sim.create(machine("c", PLACE));
    assertThatThrownBy(() -> sim.create(machine("d", PLACE)))
        .isInstanceOf(BackendException.RateLimited.class);
  }

  @Test
  void containers_are_launched_too() {
    SimFixture sim = SimFixture.of("scenario: {launches: {every: 30s}}");
    sim.jobs().start(job("a-1", "sleep 1"));
    assertThatThrownBy(() -> sim.jobs().start(job("a-2", "sleep 1")))
        .isInstanceOf(BackendException.RateLimited.class);
    sim.clock.passSeconds(30);
    sim.jobs().start(job("a-2", "sleep 1"));
  }

  @Test
  void wrong_settings_are_explained() {
    assertThatThrownBy(() -> machines("launches: {every: 0s}"))
        .hasMessageContaining("leave 'launches' out");
    assertThatThrownBy(() -> machines("faults: [{kind: error, probability: 1, reason: quota}]"))
        .hasMessageContaining("only 'late_refusal' has");
    assertThatThrownBy(
            () -> machines("faults: [{kind: late_refusal, operation: start, probability: 1}]"))
        .hasMessageContaining("cannot happen to 'start'");
  }
}
