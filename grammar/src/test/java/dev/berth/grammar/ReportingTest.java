package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grammar.ConfigurationReader.Defaults;
import dev.berth.model.config.Range;
import dev.berth.model.config.ReplicaGroup;
import dev.berth.model.config.ServiceConfiguration;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How mistakes are told to people. */
final class ReportingTest {
  private static ConfigurationFile read(String text) {
    return ConfigurationReader.read(text.getBytes(StandardCharsets.UTF_8), Defaults.FILLED);
  }

  @Test
  void allErrorsOfAFileAreReportedInTheOrderOfTheFile() {
    ConfigurationFile file =
        read(
            """
            type: task
            nam: train
            priority: 200
            resources:
              gpu: A100:A100
              memory: 8..4
            commands:
              - echo ${{ nothing.here }}
              -
            ports: [http]
            max_duration: soon
            """);
    assertThat(file.isValid()).isFalse();
    assertThat(file.kind()).contains(Kind.TASK);
    assertThat(file.errors().stream().map(problem -> problem.format("f")))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("f:2:1: nam: "),
            line -> assertThat(line).startsWith("f:3:11: priority: "),
            line -> assertThat(line).startsWith("f:5:8: resources.gpu: "),
            line -> assertThat(line).startsWith("f:6:11: resources.memory: "),
            line -> assertThat(line).startsWith("f:9:4: commands[1]: "),
            line -> assertThat(line).startsWith("f:10:9: ports[0]: "),
            line -> assertThat(line).startsWith("f:11:15: max_duration: "));
  }

  @Test
  void mistakesOfTheTextDoNotHideTheOthers() {
    ConfigurationFile file = read("type: task\nname: a1\nname: !x a2\ncommands: echo\n");
    assertThat(file.errors())
        .extracting(Problem::rule)
        .containsExactly(Rule.DUPLICATE_KEY, Rule.CUSTOM_TAG, Rule.EXPECTED_LIST);
  }

  @Test
  void aRuleOverSeveralFieldsIsCheckedBesideAMistakeElsewhere() {
    ConfigurationFile file =
        read("type: task\nimage: a\npython: 3.12\npriority: high\ncommands: [echo]\n");
    assertThat(file.errors())
        .extracting(Problem::rule)
        .containsExactly(Rule.IMAGE_SOURCES, Rule.EXPECTED_INTEGER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type: taks                                              | task",
        "type: dev-enviroment                                    | dev-environment",
        "type: dev_environment                                   | dev-environment",
        "{type: task, comands: [a], image: b}                    | commands",
        "{type: task, comamnds: [a], image: b}                   | commands",
        "{type: task, image: b, max-price: 1}                    | max_price",
        "{type: task, image: b, spot_policy: on_demand}          | on-demand",
        "{type: task, image: b, resources: {gpus: 1}}            | gpu",
        "{type: task, image: b, resources: {memory: {mx: 1}}}    | max",
        "{type: task, image: b, resources: {gpu: {vendor: nvidea}}} | nvidia",
        "{type: fleet, nodes: 1, placment: any}                  | placement",
      })
  void aMisspelledWordIsAnsweredWithTheLikelyOne(String text, String word) {
    assertThat(read(text).errors())
        .singleElement()
        .extracting(Problem::message)
        .asString()
        .contains("did you mean '" + word + "'?");
  }

  @Test
  void aWordThatResemblesNothingIsAnsweredWithAllThatIsKnown() {
    assertThat(read("type: gateway\nbackend: aws\nregion: eu\nquux: 1\n").errors())
        .singleElement()
        .extracting(Problem::message)
        .asString()
        .contains("expected backend, certificate, default, domain")
        .doesNotContain("did you mean");
  }

  static Stream<Arguments> removedFields() {
    return Stream.of(Kind.values())
        .flatMap(
            kind ->
                kind.shape().allRemoved().entrySet().stream()
                    .map(entry -> Arguments.of(kind, entry.getKey(), entry.getValue())));
  }

  @ParameterizedTest
  @MethodSource("removedFields")
  void aFieldOfOlderVersionsIsAnsweredWithItsSuccessor(Kind kind, String name, String successor) {
    String head = kind.hasType() ? "type: " + kind.word() : "default-image: a";
    assertThat(read(head + "\n" + name + ": 1\n").errors())
        .filteredOn(problem -> problem.rule() == Rule.FIELD_REMOVED)
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.position()).isEqualTo(new Position(2, 1));
              assertThat(problem.path()).isEqualTo(name);
              assertThat(problem.message()).contains("'" + name + "'", successor);
            });
  }

  @Test
  void aPresetIsRefusedWithWhatToWriteInstead() {
    ConfigurationFile file = read("type: preset\nmodel: llama\n");
    assertThat(file.kind()).isEmpty();
    assertThat(file.errors())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("'service'"));
  }

  @Test
  void groupsInTheSpellingBefore021AreReadWithAWarning() {
    ConfigurationFile file =
        read(
            """
            type: service
            port: 8000
            replicas:
              - name: prefill
                count: 1..2
                scaling: {metric: rps, target: 1}
                commands: [a]
              - replicas: 3
                commands: [b]
            """);
    assertThat(file.errors()).isEmpty();
    assertThat(file.warnings())
        .singleElement()
        .satisfies(problem -> assertThat(problem.format("f")).startsWith("f:3:1: replicas: "));
    ServiceConfiguration service = (ServiceConfiguration) file.configuration().orElseThrow();
    List<ReplicaGroup> groups = Objects.requireNonNull(service.groups());
    assertThat(groups).extracting(ReplicaGroup::name).containsExactly("prefill", "1");
    assertThat(groups)
        .extracting(ReplicaGroup::replicas)
        .containsExactly(new Range<>(1, 2), Range.exactly(3));
    assertThat(service.replicas()).isNull();
  }

  @Test
  void theOldNameOfReplicasInAGroupIsReadWithAWarningButNotBesideTheNewOne() {
    String head = "type: service\nport: 8000\ngroups:\n  - commands: [a]\n    count: 2\n";
    assertThat(read(head).warnings())
        .extracting(problem -> problem.format("f"))
        .containsExactly("f:4:5: groups[0]: 'count' is called 'replicas' now");
    assertThat(read(head + "    replicas: 2\n").errors())
        .extracting(Problem::rule)
        .containsExactly(Rule.FIELD_UNKNOWN);
  }
}
