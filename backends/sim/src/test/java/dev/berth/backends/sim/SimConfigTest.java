package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.backends.sim.scenario.ScenarioFiles;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.config.ConfigPage;
import dev.berth.spi.config.ConfigProblem;
import dev.berth.spi.config.ConfigSchema;
import dev.berth.spi.config.PartialConfig;
import dev.berth.spi.config.Suggestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimConfigTest {
  private final SimBackendType type = new SimBackendType(Waiting.none());
  @TempDir Path directory;

  private BackendContext context() {
    return new BackendContext(
        "rehearsal", SimFixture.OWNER, directory, Map.of(), new SettableClock());
  }

  @Test
  void the_type_is_found_and_describes_itself() {
    assertThat(ServiceLoader.load(BackendType.class))
        .anyMatch(found -> found instanceof SimBackendType);
    assertThat(ConfigPage.of(type)).contains("builtin:flaky-api", "`scenario.faults[].kind`");
    assertThat(ConfigSchema.of(SimConfig.class)).containsKey("properties");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          creds: {type: api_key, api_key: wrong}      | creds.api_key
          regions: [sim-north, mars]                  | regions[1]
          network: nowhere                            | network
          gives: machines\\nwithout: [spot, exec]     | without[1]
          scenario_file: /not/there.yml               | scenario_file
          scenario_file: here.yml                     | scenario_file
          scenario_file: /dev/zero                    | scenario_file
          scenario_file: builtin:unknown              | scenario_file
          """)
  void a_wrong_setting_is_named_by_its_path(String yaml, String path) {
    SimConfig wrong = config(yaml.replace("\\n", "\n"));
    assertThat(problems(() -> type.check(wrong, context())))
        .extracting(ConfigProblem::path)
        .containsExactly(path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          faults: [{kind: error, probability: 2}]              | scenario.faults[0]
          faults: [{kind: error}]                              | scenario.faults[0]
          faults: [{kind: meteor, probability: 1}]             | scenario.faults[0].kind
          faults: [{kind: lost_delete, operation: start, calls: [1]}] | scenario.faults[0]
          regions: [{name: a, zones: []}]                      | scenario.regions[0].zones
          instance_types: [{name: a, cpus: 0, memory: 1GB, price: 1}] | scenario.instance_types[0].cpus
          quotas: [{region: sim-north}]                        | scenario.quotas[0]
          quotas: [{region: mars, gpus: 1}]                    | scenario
          stock: [{zone: mars, count: 1}]                      | scenario
          spot: {kills: [{zone: sim-north-a}]}                 | scenario.spot.kills[0]
          latencies: {fly: {max: 1s}}                          | scenario
          latencies: {list: {min: 2s, max: 1s}}                | scenario.latencies.list
          boot_time: soon                                      | scenario.boot_time
          botched: 1                                           | scenario.botched
          """)
  void a_wrong_scenario_is_named_by_its_path(String yaml, String path) {
    assertThat(problems(() -> config("scenario: {%s}".formatted(yaml))))
        .extracting(ConfigProblem::path)
        .containsExactly(path);
  }

  @Test
  void a_wrong_scenario_in_a_file_is_named_by_file_and_path() throws IOException {
    Path file = directory.resolve("mine.yml");
    Files.writeString(file, "faults: [{kind: meteor}]\nboot_time: soon\n");
    SimConfig wrong = config("scenario_file: " + file);
    assertThat(problems(() -> type.check(wrong, context())))
        .allSatisfy(problem -> assertThat(problem.path()).isEqualTo("scenario_file"))
        .extracting(ConfigProblem::message)
        .anyMatch(message -> message.startsWith("names " + file + ", where 'faults[0].kind' must"))
        .anyMatch(message -> message.contains("'boot_time' must be a time"));
    Files.writeString(file, "a: [");
    assertThat(problems(() -> type.check(wrong, context())))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("is no YAML"));
    Files.writeString(file, "# " + "long ".repeat(300_000));
    assertThat(problems(() -> type.check(wrong, context())))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("more than the 1048576"));
    Files.writeString(file, "- a");
    assertThat(problems(() -> type.check(wrong, context()))).hasSize(1);
    Files.writeString(file, "boot_time: 9s");
    assertThatCode(() -> type.check(wrong, context())).doesNotThrowAnyException();
  }

  @Test
  void a_file_and_an_inline_scenario_are_too_much() {
    assertThatThrownBy(() -> config("{scenario_file: builtin:calm, scenario: {}}"))
        .isInstanceOf(BackendException.BadConfig.class);
  }

  @Test
  void the_scenarios_that_come_with_berth_are_sound() {
    for (String name : ScenarioFiles.BUILT_IN) {
      SimConfig built = config("scenario_file: builtin:" + name);
      assertThatCode(() -> type.check(built, context())).as(name).doesNotThrowAnyException();
    }
    assertThat(ScenarioFiles.read("builtin:calm")).isEqualTo(ScenarioFiles.calm());
  }

  @Test
  void regions_and_networks_are_suggested_from_the_scenario() {
    assertThat(suggested("{}", "regions")).containsExactly("sim-north", "sim-south", "sim-west");
    assertThat(
            suggested("scenario: {networks: [mine], regions: [{name: a, zones: [b]}]}", "network"))
        .containsExactly("mine");
    assertThatThrownBy(() -> suggested("creds: {type: api_key, api_key: wrong}", "regions"))
        .isInstanceOf(BackendException.BadConfig.class);
  }

  private List<String> suggested(String yaml, String path) {
    return type.suggest(new PartialConfig(SimFixture.tree(yaml)), context()).stream()
        .filter(suggestion -> suggestion.path().equals(path))
        .flatMap(suggestion -> suggestion.choices().stream())
        .map(Suggestion.Choice::value)
        .toList();
  }

  @Test
  void a_network_is_prepared_once_and_undone() {
    SimConfig plain = config("{}");
    Map<String, String> extras = type.prepare(plain, context());
    assertThat(type.prepare(plain, context().with(extras))).isEqualTo(extras);
    assertThat(networks(plain)).containsExactly(extras.get("network"));
    type.undo(plain, context().with(extras));
    type.undo(plain, context().with(extras));
    assertThat(networks(plain)).isEmpty();
  }

  private List<String> networks(SimConfig plain) {
    return type.open(plain, context()).cloud().look(turn -> List.copyOf(turn.world().networks()));
  }

  private static List<ConfigProblem> problems(Runnable call) {
    try {
      call.run();
      return List.of();
    } catch (BackendException.BadConfig wrong) {
      return wrong.problems();
    }
  }
}
