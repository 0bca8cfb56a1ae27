package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.grammar.ConfigurationReader.Defaults;
import dev.berth.model.config.Configuration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What is written in the normalised form is what is read back, for every file that we know. */
final class NormalisedFormTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @ParameterizedTest
  @EnumSource(Defaults.class)
  void everyAcceptedFileReadsBackAsTheSameValue(Defaults defaults) {
    List<String> differences = new ArrayList<>();
    AllCases.accepted()
        .forEach(
            one ->
                difference(one, defaults)
                    .forEach(difference -> differences.add(one + ": " + difference)));
    assertThat(differences).isEmpty();
  }

  private static List<String> difference(Case one, Defaults defaults) {
    Configuration value =
        ConfigurationReader.read(one.bytes(), defaults).configuration().orElseThrow();
    Kind kind = ConfigurationReader.kindOf(value);
    Map<String, @Nullable Object> written = ConfigurationReader.normalise(value);
    List<String> differences = new ArrayList<>();
    try {
      Configuration readBack = ConfigurationReader.readNormalised(kind, written, defaults);
      if (!readBack.equals(value)) {
        differences.add("read back as " + readBack + " instead of " + value);
      }
      if (!ConfigurationReader.normalise(readBack).equals(written)) {
        differences.add("written a second time as something else");
      }
      if (!ConfigurationReader.readNormalised(kind, throughJson(written), defaults).equals(value)) {
        differences.add("JSON changed it: " + written);
      }
    } catch (IllegalArgumentException e) {
      differences.add("refused when read back: " + e.getMessage());
    }
    return differences;
  }

  /** The way of a stored row. JSON has nulls that the parser's types do not tell of. */
  @SuppressWarnings("NullAway")
  private static Map<String, @Nullable Object> throughJson(Map<String, @Nullable Object> tree) {
    return JSON.readValue(
        JSON.writeValueAsString(tree), new TypeReference<Map<String, @Nullable Object>>() {});
  }

  @Test
  void aTreeThatIsNotANormalisedFormIsRefusedWithThePlace() {
    assertThatThrownBy(
            () ->
                ConfigurationReader.readNormalised(
                    Kind.VOLUME,
                    Map.of("type", "volume", "backend", "aws", "size_mib", "100GB"),
                    Defaults.AS_WRITTEN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("size_mib: ");
  }

  @Test
  void theNormalisedFormHasNoShorthands() {
    assertThatThrownBy(
            () ->
                ConfigurationReader.readNormalised(
                    Kind.VOLUME,
                    Map.of("type", "volume", "backend", "aws", "size", 100),
                    Defaults.AS_WRITTEN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("size: ");
  }
}
