package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.OWNER;
import static dev.berth.backends.sim.SimFixture.PLACE;
import static dev.berth.backends.sim.SimFixture.job;
import static dev.berth.backends.sim.SimFixture.machine;
import static dev.berth.backends.sim.SimFixture.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.JobObservation;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.Identity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {
  private static SimFixture with(String identity, String... faults) {
    return SimFixture.of(
        "gives: machines\nidentity: %s\nscenario: {faults: [%s]}"
            .formatted(identity, String.join(", ", faults)));
  }

  @ParameterizedTest
  @CsvSource({
    "token, timeout_though_created",
    "token, error_though_created",
    "unique_name, timeout_though_created",
    "unique_name, error_though_created"
  })
  void a_call_without_a_good_answer_made_one_thing_that_asking_again_finds(
      String identity, String kind) {
    SimFixture sim = with(identity, "{kind: %s, operation: create, calls: [1]}".formatted(kind));
    assertThatThrownBy(() -> sim.create(machine("m", PLACE)))
        .isInstanceOf(BackendException.Transient.class);
    assertThat(sim.listed()).containsExactly("i-000001");
    assertThat(sim.create(machine("m", PLACE)).ref().id()).isEqualTo("i-000001");
    assertThat(sim.listed()).containsExactly("i-000001");
  }

  @Test
  void a_lost_answer_of_a_lookup_takes_effect_before_its_deadline() {
    SimFixture sim =
        with("lookup", "{kind: timeout_though_created, operation: create, calls: [1]}");
    assertThatThrownBy(() -> sim.create(machine("m", PLACE)))
        .isInstanceOf(BackendException.Transient.class);
    Identity.Lookup lookup = (Identity.Lookup) sim.compute.identity();
    sim.clock.pass(lookup.callDeadline().plus(lookup.visibleWithin()));
    assertThat(sim.provisioner().find(OWNER, "m", "sim-north")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"token, 1", "unique_name, 1", "lookup, 2"})
  void a_call_that_is_carried_out_twice_makes_two_only_where_keys_are_not_known(
      String identity, int count) {
    SimFixture sim = with(identity, "{kind: created_twice, operation: create, calls: [1]}");
    sim.create(machine("m", PLACE));
    sim.clock.passSeconds(5);
    assertThat(sim.provisioner().find(OWNER, "m", "sim-north")).hasSize(count);
  }

  @Test
  void a_plain_error_does_nothing() {
    SimFixture sim = with("token", "{kind: error, operation: create, calls: [1]}");
    assertThatThrownBy(() -> sim.create(machine("m", PLACE)))
        .isInstanceOf(BackendException.Transient.class);
    assertThat(sim.listed()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "quota, QuotaExceeded",
    "no_capacity, NoCapacity",
    "rate_limited, RateLimited",
  })
  void refusals_make_nothing(String kind, String expected) {
    SimFixture sim =
        with("token", "{kind: %s, operation: create, calls: [1], lasts: 7s}".formatted(kind));
    assertThatThrownBy(() -> sim.create(machine("m", PLACE)))
        .isInstanceOfSatisfying(
            BackendException.class,
            refused -> {
              assertThat(refused.getClass().getSimpleName()).isEqualTo(expected);
              if (refused instanceof BackendException.RateLimited limited) {
                assertThat(limited.delay()).isEqualTo(Duration.ofSeconds(7));
              }
            });
    assertThat(sim.listed()).isEmpty();
    sim.create(machine("m", PLACE));
    assertThat(sim.listed()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"quota", "no_capacity"})
  void what_is_there_already_is_not_refused(String kind) {
    SimFixture sim = with("token", "{kind: %s, calls: [2]}".formatted(kind));
    Found made = sim.create(machine("m", PLACE));
    assertThat(sim.create(machine("m", PLACE)).ref()).isEqualTo(made.ref());
  }

  @Test
  void a_lost_removal_is_accepted_and_does_nothing() {
    SimFixture sim = SimFixture.of("scenario: {faults: [{kind: lost_delete, calls: [1]}]}");
    sim.jobs().start(job("a"));
    sim.jobs().remove("a");
    assertThat(sim.jobs().list(OWNER)).containsExactly("a");
    sim.jobs().remove("a");
    assertThat(sim.jobs().list(OWNER)).isEmpty();
  }

  @Test
  void a_lagging_list_misses_what_is_new_and_describe_does_not() {
    SimFixture sim = with("token", "{kind: lagging_list, probability: 1, lasts: 3s}");
    Found made = sim.create(machine("m", PLACE));
    assertThat(sim.listed()).isEmpty();
    assertThat(sim.provisioner().describe(made.ref())).isPresent();
    sim.clock.passSeconds(3);
    assertThat(sim.listed()).hasSize(1);
  }

  @Test
  void a_stale_list_shows_what_is_gone_and_describe_does_not() {
    SimFixture sim = with("token", "{kind: stale_list, probability: 1, lasts: 3s}");
    Found made = sim.ready("m");
    sim.provisioner().delete(made.ref());
    sim.clock.passSeconds(1);
    assertThat(sim.provisioner().describe(made.ref())).isEmpty();
    assertThat(sim.provisioner().list(OWNER).found())
        .singleElement()
        .satisfies(found -> assertThat(found.state()).isEqualTo(Found.State.READY));
    sim.clock.passSeconds(3);
    assertThat(sim.listed()).isEmpty();
  }

  @Test
  void the_identity_says_how_long_lists_may_be_wrong() {
    SimFixture sim = with("lookup", "{kind: stale_list, probability: 0.1, lasts: 9s}");
    assertThat(((Identity.Lookup) sim.compute.identity()).visibleWithin())
        .isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void a_lost_delete_is_accepted_and_does_nothing() {
    SimFixture sim = with("token", "{kind: lost_delete, calls: [1]}");
    Found made = sim.ready("m");
    sim.provisioner().delete(made.ref());
    sim.clock.passSeconds(60);
    assertThat(sim.state(made.ref())).isEqualTo(Found.State.READY);
    sim.provisioner().delete(made.ref());
    sim.clock.passSeconds(1);
    assertThat(sim.provisioner().describe(made.ref())).isEmpty();
  }

  @Test
  void a_slow_delete_takes_its_time() {
    SimFixture sim = with("token", "{kind: slow_delete, calls: [1], lasts: 2m}");
    Found made = sim.ready("m");
    sim.provisioner().delete(made.ref());
    sim.clock.passSeconds(119);
    assertThat(sim.state(made.ref())).isEqualTo(Found.State.LEAVING);
    sim.clock.passSeconds(1);
    assertThat(sim.provisioner().describe(made.ref())).isEmpty();
  }

  @Test
  void an_unreachable_machine_is_ready_and_takes_no_jobs() {
    SimFixture sim = with("token", "{kind: unreachable_host, operation: create, calls: [1]}");
    Found made = sim.ready("m");
    assertThat(made.state()).isEqualTo(Found.State.READY);
    assertThatThrownBy(() -> sim.jobs().start(job("a").at(PLACE.on(made.ref().id()))))
        .isInstanceOf(BackendException.Transient.class);
  }

  @Test
  void an_unreachable_container_cannot_be_observed() {
    SimFixture sim =
        SimFixture.of(
            "scenario: {faults: [{kind: unreachable_host, operation: start, calls: [1]}]}");
    sim.jobs().start(job("a"));
    sim.jobs().start(job("b"));
    assertThatThrownBy(() -> sim.observe("a")).isInstanceOf(BackendException.Transient.class);
    assertThat(sim.observe("b")).isInstanceOf(JobObservation.Prepared.class);
    sim.jobs().remove("a");
    assertThat(sim.observe("a")).isInstanceOf(JobObservation.Absent.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"clock_ahead: 90s", "clock_behind: 90s"})
  void the_times_that_a_cloud_tells_are_those_of_its_clock(String skew) {
    SimFixture sim = SimFixture.of("scenario: {%s}".formatted(skew));
    long seconds = skew.startsWith("clock_ahead") ? 90 : -90;
    assertThat(sim.jobs().start(job("a", "exit 0")))
        .isEqualTo(SettableClock.START.plusSeconds(seconds));
    assertThat(sim.create(volume("v", null)).createdAt())
        .isEqualTo(SettableClock.START.plusSeconds(seconds));
    sim.clock.passSeconds(2);
    assertThat(sim.end("a").endedAt()).isEqualTo(SettableClock.START.plusSeconds(seconds + 2));
  }

  @Test
  void faults_keep_to_their_time() {
    SimFixture sim =
        with("token", "{kind: error, operation: list, probability: 1, after: 10s, until: 20s}");
    List<Integer> failed = new ArrayList<>();
    for (int second = 0; second < 30; second++) {
      try {
        sim.listed();
      } catch (BackendException.Transient _) {
        failed.add(second);
      }
      sim.clock.passSeconds(1);
    }
    assertThat(failed).containsExactly(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
  }

  @Test
  void chance_is_as_likely_as_written_and_another_seed_is_another_chance() {
    String faults = "{kind: error, operation: list, probability: 0.2}";
    assertThat(failures(with("token", faults))).hasSizeBetween(150, 250);
    assertThat(failures(with("token", faults))).isEqualTo(failures(with("token", faults)));
    assertThat(failures(with("token\nseed: 2", faults)))
        .isNotEqualTo(failures(with("token", faults)));
  }

  private static List<Integer> failures(SimFixture sim) {
    List<Integer> failed = new ArrayList<>();
    for (int call = 0; call < 1000; call++) {
      try {
        sim.listed();
      } catch (BackendException.Transient _) {
        failed.add(call);
      }
    }
    return failed;
  }

  @Test
  void calls_take_as_long_as_the_scenario_says() {
    List<Duration> pauses = new ArrayList<>();
    SimFixture sim = SimFixture.of("scenario: {latencies: {list: {min: 10ms, max: 20ms}}}");
    SimCompute slow = new SimBackendType(pauses::add).open(sim.config, sim.context);
    slow.provisioner().orElseThrow().list(OWNER);
    slow.runtime().orElseThrow().list(OWNER);
    assertThat(pauses)
        .singleElement()
        .satisfies(
            pause -> assertThat(pause).isBetween(Duration.ofMillis(10), Duration.ofMillis(20)));
  }

  @Test
  void a_refused_key_is_refused_by_every_call() {
    SimFixture sim = SimFixture.of("creds: {type: api_key, api_key: wrong}");
    assertThatThrownBy(sim::listed)
        .isInstanceOf(BackendException.Unauthorised.class)
        .hasMessageNotContaining("wrong");
    assertThatThrownBy(() -> sim.jobs().start(job("a")))
        .isInstanceOf(BackendException.Unauthorised.class);
    assertThatThrownBy(() -> sim.compute.qualify(List.of()))
        .isInstanceOf(BackendException.Unauthorised.class);
  }
}
