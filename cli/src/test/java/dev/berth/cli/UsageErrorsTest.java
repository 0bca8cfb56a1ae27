package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a wrong command line. */
final class UsageErrorsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          validat        | there is no command 'validat'; did you mean 'validate'?
          lgos           | there is no command 'lgos'; did you mean 'logs'?
          status         | there is no command 'status'; did you mean 'ps' or 'show'?
          squeue         | there is no command 'squeue'; did you mean 'ps'?
          describe       | there is no command 'describe'; did you mean 'show'?
          kill           | there is no command 'kill'; did you mean 'stop'?
          server stp     | there is no command 'stp'; did you mean 'stop'?
          project status | there is no command 'status'
          xyzzy          | there is no command 'xyzzy'
          ps --jsn       | unknown option '--jsn'; did you mean '--json'?
          ps --quux      | unknown option '--quux'
          ps hello       | unexpected argument 'hello'
          ps -n many     | --last takes a whole number, not 'many'
          stop           | RUN is missing
          apply -f       | --file needs a value: FILE
          completion csh | SHELL takes one of bash, zsh, fish, not 'csh'
          """)
  void theSentenceIsOurs(String line, String sentence) {
    Command command = Command.run(line.split(" ", -1));
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err().lines()).first().isEqualTo("berth: " + sentence);
    assertThat(command.err().lines()).last().asString().matches("Try 'berth .*--help'\\.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"apply", "plan"})
  void theHelpHasNoHoles(String name) {
    assertThat(Command.run(name, "--help").out()).doesNotContain("null");
  }

  @Test
  void theNameOfASecretIsJudgedBeforeItsValueIsRead() {
    Command command = Command.run("secret", "set", "a b", "--value-file", "/no/such/file");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("'a b' cannot be the name of a secret");
  }
}
