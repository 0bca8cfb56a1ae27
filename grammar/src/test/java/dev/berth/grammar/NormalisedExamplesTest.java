package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grammar.ConfigurationReader.Defaults;
import dev.berth.model.config.Configuration;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The normalised form of the files in {@code normalised-examples.txt}, word for word. */
final class NormalisedExamplesTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  record Example(String name, String file, JsonNode fields) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Example> examples() {
    String text = FieldTable.resource("normalised-examples.txt");
    return Stream.of(text.substring(text.indexOf("\n>>> ") + 1).split("(?m)^>>> ", -1))
        .filter(block -> !block.isBlank())
        .map(
            block -> {
              int end = block.indexOf('\n');
              String[] parts = block.substring(end + 1).split("(?m)^===\n", 2);
              return new Example(block.substring(0, end), parts[0], JSON.readTree(parts[1]));
            });
  }

  @ParameterizedTest
  @MethodSource("examples")
  void aFileIsNormalisedTo(Example example) {
    JsonNode written = normalised(example.file(), Defaults.FILLED);
    example
        .fields()
        .propertyNames()
        .forEach(
            name -> assertThat(written.path(name)).as(name).isEqualTo(example.fields().path(name)));
  }

  @Test
  void theExampleWithAllDefaultsNamesEveryField() {
    Example defaults =
        examples().filter(one -> one.name().startsWith("all defaults")).findFirst().orElseThrow();
    assertThat(defaults.fields()).isEqualTo(normalised(defaults.file(), Defaults.FILLED));
  }

  @Test
  void whatWasNotWrittenStaysOpenWhenDefaultsAreNotFilled() {
    JsonNode written =
        normalised(
            "type: task\nimage: ubuntu\nstop_duration: off\nretry: false\n", Defaults.AS_WRITTEN);
    assertThat(written.path("resources").path("memory_mib").isNull()).isTrue();
    assertThat(written.path("spot_policy").isNull()).isTrue();
    assertThat(written.path("nodes").isNull()).isTrue();
    assertThat(written.has("stop_duration")).as("off was written").isTrue();
    assertThat(written.has("retry")).as("off was written").isTrue();
    assertThat(written.has("max_duration")).as("not written").isFalse();
  }

  private static JsonNode normalised(String file, Defaults defaults) {
    ConfigurationFile read =
        ConfigurationReader.read(file.getBytes(StandardCharsets.UTF_8), defaults);
    assertThat(read.errors()).isEmpty();
    Configuration configuration = read.configuration().orElseThrow();
    return JSON.readTree(JSON.writeValueAsString(ConfigurationReader.normalise(configuration)));
  }
}
