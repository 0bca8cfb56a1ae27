package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grammar.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** {@code berth schema}. */
final class SchemaCommandTest {
  @ParameterizedTest
  @EnumSource(Kind.class)
  void eachKindHasASchema(Kind kind) {
    Command command = Command.run("schema", kind.word());
    assertThat(command.exitCode()).isZero();
    JsonNode schema = command.json();
    assertThat(schema.path("$schema").asString())
        .isEqualTo("https://json-schema.org/draft/2020-12/schema");
    assertThat(schema.path("title").asString()).isEqualTo("Berth " + kind.word());
    assertThat(schema.path("$defs")).isNotEmpty();
  }

  @Test
  void anUnknownKindIsAnsweredWithTheKnownOnes() {
    Command command = Command.run("schema", "tasks");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("tasks", "task, service, dev-environment, fleet");
    assertThat(command.out()).isEmpty();
  }

  @Test
  void withoutAKindTheCommandLineIsWrong() {
    Command command = Command.run("schema");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("KIND");
  }
}
