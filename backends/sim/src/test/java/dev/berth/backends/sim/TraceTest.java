package dev.berth.backends.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.model.ResourceType;
import dev.berth.spi.config.ConfigReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {
  private static final int SEEDS = 1000;
  private static final int CALLS = 40;

  /** Everything that can go wrong, often. */
  private static final SimScenario SCENARIO =
      ConfigReader.read(
          SimScenario.class,
          SimFixture.tree(
              """
              queue: true
              stock:
                - {instance_type: sim-cpu-2, zone: sim-north-a, count: 3}
                - {instance_type: sim-l4-1, zone: sim-north-a, count: 0, until: 20s}
                - {instance_type: sim-l4-1, count: 1}
              quotas: [{region: sim-south, instances: 3}]
              spot:
                prices: [{after: 10s, factor: 2}]
                kills: [{per_hour: 200, notice: 3s}, {at: 30s, zone: sim-north-b}]
              foreign: 1
              clock_ahead: 3s
              latencies: {all: {max: 1s}}
              faults:
                - {kind: timeout_though_created, probability: 0.1}
                - {kind: error_though_created, probability: 0.1}
                - {kind: error, probability: 0.05}
                - {kind: created_twice, probability: 0.1}
                - {kind: lagging_list, probability: 0.3, lasts: 2s}
                - {kind: stale_list, probability: 0.3, lasts: 4s}
                - {kind: rate_limited, probability: 0.05}
                - {kind: quota, probability: 0.03}
                - {kind: no_capacity, probability: 0.03}
                - {kind: lost_delete, probability: 0.2}
                - {kind: slow_delete, probability: 0.2, lasts: 8s}
                - {kind: unreachable_host, probability: 0.05}
              """));

  @TempDir Path directory;

  @Test
  void the_same_seed_gives_the_same_trace() {
    Set<List<String>> different = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      List<String> trace = trace(seed);
      assertThat(trace(seed)).as("seed " + seed).isEqualTo(trace);
      assertThat(trace).hasSizeGreaterThanOrEqualTo(CALLS);
      different.add(trace);
    }
    assertThat(different).hasSize(SEEDS);
  }

  private List<String> trace(int seed) {
    return run(seed, SimConfig.Keeping.MEMORY);
  }

  private List<String> run(int seed, SimConfig.Keeping state) {
    SimFixture sim = SimFixture.of(config(seed, state), directory);
    new RandomCalls(sim, seed).make(CALLS);
    return sim.compute.cloud().trace();
  }

  /** Every kind of cloud has its share of the seeds. */
  private static SimConfig config(int seed, SimConfig.Keeping state) {
    SimConfig.Naming[] identities = SimConfig.Naming.values();
    return new SimConfig(
        null,
        List.of(),
        null,
        seed % 2 == 0 ? SimConfig.Gives.CONTAINERS : SimConfig.Gives.MACHINES,
        SimConfig.JobsBy.CLOUD,
        identities[seed % identities.length],
        SimConfig.Selling.LIVE,
        List.of(),
        state,
        seed,
        null,
        SCENARIO);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void a_cloud_in_a_file_gives_the_same_trace_as_one_in_memory(int seed) {
    assertThat(run(seed, SimConfig.Keeping.FILE)).isEqualTo(trace(seed));
  }

  @Test
  void whatever_goes_wrong_a_key_makes_one_thing_and_stock_is_not_exceeded() {
    for (int seed = 0; seed < SEEDS; seed += 5) {
      SimConfig config = config(seed, SimConfig.Keeping.MEMORY);
      SimFixture sim = SimFixture.of(config, directory);
      RandomCalls calls = new RandomCalls(sim, seed);
      for (int i = 0; i < CALLS; i++) {
        calls.make(1);
        sim.compute.cloud().look(turn -> checked(turn, config));
      }
    }
  }

  private static boolean checked(Turn turn, SimConfig config) {
    Instant now = turn.now();
    List<SimResource> things =
        turn.world().things().stream().filter(thing -> thing.life().there(now)).toList();
    if (config.identity() != SimConfig.Naming.LOOKUP) {
      assertThat(things).extracting(thing -> thing.type() + thing.key()).doesNotHaveDuplicates();
    }
    long rare =
        Stream.concat(
                things.stream()
                    .filter(thing -> thing.type() == ResourceType.INSTANCE)
                    .map(SimResource::site),
                turn.world().jobs().stream()
                    .filter(job -> !job.onMachine() && job.occupies(now))
                    .map(SimJob::site))
            .filter(site -> "sim-l4-1".equals(site.instanceType()))
            .filter(site -> "sim-south-a".equals(site.zone()))
            .count();
    assertThat(rare).isLessThanOrEqualTo(1);
    return true;
  }

  @Test
  void a_line_tells_time_call_arguments_and_outcome() {
    SimFixture sim = SimFixture.of("gives: machines");
    sim.clock.passSeconds(3);
    sim.ready("m");
    assertThat(sim.compute.cloud().trace())
        .containsExactly(
            "PT3S create#1 instance key=m -> i-000001 CREATING",
            "PT5S describe#1 instance i-000001 -> i-000001 READY");
  }
}
