package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code berth backend verify} refuses. */
final class BackendVerifyCommandTest {
  @TempDir private Path folder;

  @Test
  void oneBackendIsVerified() {
    for (Command command :
        new Command[] {
          Command.run("backend", "verify"),
          Command.run("backend", "verify", "a", "--jar", folder.toString())
        }) {
      assertThat(command.exitCode()).isEqualTo(64);
      assertThat(command.err()).contains("name a backend, or a plug-in with --jar");
    }
  }

  @Test
  void aJarThatIsNoneIsNamed() throws IOException {
    Path jar = Files.writeString(folder.resolve("broken.jar"), "no jar");
    Command command = Command.run("backend", "verify", "--jar", jar.toString());
    assertThat(command.exitCode()).isEqualTo(1);
    assertThat(command.err()).contains("broken.jar cannot be loaded");
  }

  @Test
  void aTypeThatIsNotInstalledIsNamed() {
    Command command = Command.run("backend", "verify", "no-such-type");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("no type 'no-such-type' is installed");
  }

  @Test
  void aFileThatIsMissingIsNamed() {
    Path missing = folder.resolve("settings.yml");
    Command command = Command.run("backend", "verify", "local", "-f", missing.toString());
    assertThat(command.exitCode()).isEqualTo(65);
    assertThat(command.err()).contains("there is no such file");
  }
}
