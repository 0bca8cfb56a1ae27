package dev.berth.spi.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Secret;
import dev.berth.model.config.Size;
import dev.berth.spi.BackendException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigReaderTest {
  private static final Map<String, Object> DEFAULT = Map.of("creds", Map.of("type", "default"));

  private static SampleConfig read(Map<String, Object> tree) {
    return ConfigReader.read(SampleConfig.class, tree);
  }

  @Test
  void whatMayBeLeftOutHasItsFallback() {
    assertThat(read(DEFAULT))
        .isEqualTo(
            new SampleConfig(
                new SampleConfig.Credentials.Default(),
                List.of(),
                Map.of(),
                SampleConfig.Speed.SLOW,
                5,
                null,
                null,
                true,
                null,
                List.of()));
  }

  @Test
  void everySettingIsReadAlsoWhereItIsText() {
    Map<String, Object> tree =
        Map.of(
            "creds", Map.of("type", "api_key", "api_key", "canary"),
            "regions", List.of("eu-1", "us-2"),
            "networks", Map.of("eu-1", "net-a"),
            "speed", "very_fast",
            "most", "7",
            "patience", "90s",
            "disk", "1.5GB",
            "public_ips", "false",
            "share", "0.25",
            "labels", List.of(Map.of("name", "team"), Map.of("name", "cost", "value", "42")));
    SampleConfig read = read(tree);
    assertThat(read.creds()).isEqualTo(new SampleConfig.Credentials.ApiKey(Secret.of("canary")));
    assertThat(read.regions()).containsExactly("eu-1", "us-2");
    assertThat(read.networks()).containsEntry("eu-1", "net-a");
    assertThat(read.speed()).isEqualTo(SampleConfig.Speed.VERY_FAST);
    assertThat(read.most()).isEqualTo(7);
    assertThat(read.patience()).isEqualTo(Duration.ofSeconds(90));
    assertThat(read.disk()).isEqualTo(new Size(1536));
    assertThat(read.publicIps()).isFalse();
    assertThat(read.share()).isEqualTo(0.25);
    assertThat(read.marks())
        .containsExactly(
            new SampleConfig.Label("team", null), new SampleConfig.Label("cost", "42"));
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(Map.of(), "creds", "is missing"),
        Arguments.of(Map.of("creds", "x"), "creds", "must be a section with 'type'"),
        Arguments.of(
            Map.of("creds", Map.of("type", "token")),
            "creds.type",
            "must be one of api_key, default, not 'token'"),
        Arguments.of(
            Map.of("creds", Map.of("type", "default", "api_key", "x")),
            "creds.api_key",
            "is not a known setting; there are no settings"),
        Arguments.of(Map.of("creds", Map.of("type", "api_key")), "creds.api_key", "is missing"),
        Arguments.of(
            Map.of("creds", Map.of("type", "api_key", "api_key", "x")),
            "creds",
            "is too short to be a key"),
        Arguments.of(with("regions", "eu-1"), "regions", "must be a list"),
        Arguments.of(with("regions", List.of(List.of())), "regions[0]", "must be text, not a list"),
        Arguments.of(with("networks", List.of()), "networks", "must be a section"),
        Arguments.of(with("speed", "fast"), "speed", "must be slow or very_fast, not 'fast'"),
        Arguments.of(with("most", 0), "most", "must be 1 or more, not 0"),
        Arguments.of(with("most", "1.5"), "most", "must be a whole number, not '1.5'"),
        Arguments.of(with("most", true), "most", "must be a whole number, not 'true'"),
        Arguments.of(with("patience", "soon"), "patience", "must be a time such as 90s"),
        Arguments.of(with("disk", "16"), "disk", "must be a size such as 512MB"),
        Arguments.of(with("public_ips", "yes"), "public_ips", "must be true or false"),
        Arguments.of(with("share", "NaN"), "share", "must be a number, not 'NaN'"),
        Arguments.of(with("labels", List.of(Map.of("value", "x"))), "labels[0].name", "is missing"),
        Arguments.of(
            with("marks", List.of()), "marks", "is not a known setting; known settings are"));
  }

  private static Map<String, Object> with(String setting, Object value) {
    return Map.of("creds", Map.of("type", "default"), setting, value);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whatIsWrongIsNamedWithItsPath(Map<String, Object> tree, String path, String message) {
    assertThatThrownBy(() -> read(tree))
        .isInstanceOfSatisfying(
            BackendException.BadConfig.class,
            bad -> {
              assertThat(bad.problems()).hasSize(1);
              assertThat(bad.problems().getFirst().path()).isEqualTo(path);
              assertThat(bad.problems().getFirst().message()).startsWith(message);
            });
  }

  @Test
  void allProblemsAreToldAtOnce() {
    assertThatThrownBy(() -> read(Map.of("most", "x", "disk", "y", "colour", "z")))
        .hasMessageContainingAll("'most'", "'disk'", "'colour'", "'creds' is missing");
  }

  @Test
  void secretsShowInNoMessageAndNoTree() {
    assertThatThrownBy(
            () ->
                read(
                    Map.of(
                        "creds", Map.of("type", "api_key", "api_key", Map.of("canary", "canary")))))
        .hasMessageNotContaining("canary");
    SampleConfig config = read(Map.of("creds", Map.of("type", "api_key", "api_key", "canary")));
    assertThat(config.toString()).doesNotContain("canary");
    assertThat(ConfigTree.redacted(config))
        .containsEntry("creds", Map.of("type", "api_key", "api_key", "***"))
        .containsEntry("public_ips", true)
        .containsEntry("most", 5);
  }

  @Test
  void aPartCanBeReadBeforeTheRestIsThere() {
    PartialConfig partial =
        new PartialConfig(Map.of("creds", Map.of("type", "api_key", "api_key", "canary")));
    assertThat(partial.find("creds", SampleConfig.Credentials.class)).isPresent();
    assertThat(partial.find("networks", Map.class)).isEmpty();
    PartialConfig wrong = new PartialConfig(Map.of("creds", "x"));
    assertThatThrownBy(() -> wrong.find("creds", SampleConfig.Credentials.class))
        .hasMessageContaining("'creds' must be a section");
  }
}
