package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command says of itself. */
final class HelpTest {
  static Stream<String> commands() {
    return Berth.commandLine().getSubcommands().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandExplainsItself(String name) {
    for (String option : new String[] {"--help", "-h"}) {
      Command command = Command.run(name, option);
      assertThat(command.exitCode()).isZero();
      assertThat(command.out()).contains("Usage: berth " + name);
      assertThat(command.err()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theHelpNamesEveryCommand(String name) {
    assertThat(Command.run("--help").out()).contains("Usage: berth", name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  void theVersionIsPrinted(String option) {
    Command command = Command.run(option);
    assertThat(command.exitCode()).isZero();
    assertThat(command.out()).startsWith("berth ");
  }

  @Test
  void withoutACommandTheCommandLineIsWrong() {
    Command command = Command.run();
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("no command given", "berth --help");
  }
}
