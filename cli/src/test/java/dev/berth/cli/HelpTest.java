package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

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

  /** Every command and those below it, as words. */
  static Stream<String> commandLines() {
    return words(Berth.commandLine(), List.of()).map(words -> String.join(" ", words));
  }

  private static Stream<List<String>> words(CommandLine command, List<String> before) {
    return command.getSubcommands().entrySet().stream()
        .flatMap(
            entry -> {
              List<String> words = new ArrayList<>(before);
              words.add(entry.getKey());
              return Stream.concat(Stream.of(words), words(entry.getValue(), words));
            });
  }

  @ParameterizedTest
  @MethodSource("commandLines")
  void placeholdersAndTextAreForPeople(String words) {
    assertThat(Command.run((words + " --help").split(" ", -1)).out())
        .contains("Usage: berth ")
        .doesNotContain("<", "null");
  }

  @Test
  void aListOfNoRunsCannotBeAskedFor() {
    for (String count : new String[] {"0", "-1"}) {
      Command command = Command.run("ps", "-n", count);
      assertThat(command.exitCode()).isEqualTo(64);
      assertThat(command.err()).contains("--last takes a number from 1, not " + count);
    }
  }

  @Test
  void theNamesOfFilesThatAreLookedForAreASentence() {
    Command command = Command.run("plan");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err())
        .contains("no file given: name one with -f FILE, or create one of .berth.yml, berth.yml,");
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
