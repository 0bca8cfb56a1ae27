package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.ssh.OpenSshKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key with which a server logs in to machines. */
class InstallationKeyTest {
  @TempDir private Path home;

  private Path file() {
    return home.resolve("server/ssh.key");
  }

  @Test
  void aServerMakesItsKeyOnceAndNobodyElseReadsIt() throws Exception {
    new RunningServer(home).close();
    String made = Files.readString(file());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    assertThat(OpenSshKey.of(made).publicKey()).startsWith("ssh-ed25519 ");
    new RunningServer(home).close();
    assertThat(file()).hasContent(made);
  }

  @Test
  void aFileThatIsNoKeyIsLeftAsItIs() throws IOException {
    Files.createDirectories(home.resolve("server"));
    Files.writeString(file(), "canary");
    assertThatThrownBy(() -> new RunningServer(home).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file().toString())
        .hasMessageContaining("Put it back")
        .hasMessageNotContaining("canary");
    assertThat(file()).hasContent("canary");
  }
}
