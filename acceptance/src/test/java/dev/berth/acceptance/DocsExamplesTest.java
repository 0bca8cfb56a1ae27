package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the documentation shows is what {@code berth validate} says. */
class DocsExamplesTest {
  private static final List<DocsExample> EXAMPLES = DocsExample.find(Distribution.root());
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  @TempDir static Path folder;

  static List<DocsExample> valid() {
    return EXAMPLES.stream().filter(example -> example.kind().isPresent()).toList();
  }

  static List<DocsExample> invalid() {
    return EXAMPLES.stream().filter(example -> example.kind().isEmpty()).toList();
  }

  @Test
  void enoughExamplesAreFound() {
    // A reader of pages that finds nothing would find nothing wrong either.
    assertThat(valid()).hasSizeGreaterThanOrEqualTo(11);
    assertThat(valid()).filteredOn(e -> e.expected().isPresent()).hasSizeGreaterThanOrEqualTo(9);
    assertThat(invalid()).hasSizeGreaterThanOrEqualTo(5);
  }

  @Test
  void validExamplesAreValidAndNormalisedAsShown() throws IOException {
    List<String> command = new ArrayList<>(List.of("validate", "--json", "-f"));
    for (int i = 0; i < valid().size(); i++) {
      Path file = folder.resolve("valid-" + i + ".yml");
      command.add(Files.writeString(file, valid().get(i).yaml()).toString());
    }
    JsonNode files = validate(command).json().get("files");
    assertThat(files.size()).isEqualTo(valid().size());
    for (int i = 0; i < valid().size(); i++) {
      DocsExample example = valid().get(i);
      JsonNode result = files.get(i);
      assertThat(result.get("errors").size()).as("errors at %s: %s", example, result).isZero();
      assertThat(result.get("kind").asString())
          .as("kind at %s", example)
          .isEqualTo(example.kind().orElseThrow());
      example
          .expected()
          .ifPresent(
              json ->
                  assertThat(result.get("config"))
                      .as("normalised form at %s", example)
                      .isEqualTo(MAPPER.readTree(json)));
    }
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void invalidExamplesAreRefusedInTheWordsThatAreShown(DocsExample example) throws IOException {
    Files.writeString(folder.resolve("example.yml"), example.yaml());
    FinishedCommand finished = validate(List.of("validate", "-f", "example.yml")).expect(65);
    assertThat(finished.out()).isEqualTo(example.expected().orElseThrow());
  }

  private static FinishedCommand validate(List<String> arguments) {
    return RunningCommand.start(
            Distribution.command(arguments.toArray(String[]::new)), Map.of(), folder, folder)
        .await();
  }
}
