package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code berth completion}. */
final class CompletionTest {
  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void theScriptOfEachShellKnowsEveryCommand(String shell) {
    Command command = Command.run("completion", shell);
    assertThat(command.exitCode()).isZero();
    assertThat(command.out())
        .contains(Berth.commandLine().getSubcommands().keySet())
        .contains("berth", "json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void theShellItselfFindsNothingWrong(String shell, @TempDir Path folder)
      throws IOException, InterruptedException {
    Path script =
        Files.writeString(folder.resolve("script"), Command.run("completion", shell).out());
    assumeTrue(isInstalled(shell), shell + " is not installed");
    Process check = new ProcessBuilder(shell, "-n", script.toString()).inheritIO().start();
    assertThat(check.waitFor()).isZero();
  }

  private static boolean isInstalled(String shell) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, shell))) {
        return true;
      }
    }
    return false;
  }

  @Test
  void anUnknownShellIsAWrongCommandLine() {
    Command command = Command.run("completion", "tcsh");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("tcsh", "bash", "zsh", "fish");
  }
}
