package dev.berth.hosts.jobdir;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.HostException;
import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.model.OutputMask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server that did not start a job knows of its secrets. */
class JobMasksTest {
  @TempDir Path folder = Path.of("");

  private Path process = Path.of("");
  private JobMasks masks = JobMasks.ofProcesses(ThisMachine.ACCESS.processes());

  @BeforeEach
  void prepare() throws IOException {
    Files.writeString(folder.resolve("secrets"), "TOKEN\n");
    process = Files.createDirectory(folder.resolve("7"));
    masks = new JobMasks(ThisMachine.processes(folder), _ -> OptionalLong.of(7));
  }

  private String shown() {
    byte[] bytes = "a hush-hush word\n".getBytes(StandardCharsets.UTF_8);
    OutputMask mask = masks.of("a", new JobDirectory(ThisMachine.ACCESS.files(), path(folder)));
    return new String(
        mask.read((from, most) -> new OutputMask.Piece(bytes, bytes.length, true), 0, 100).bytes(),
        StandardCharsets.UTF_8);
  }

  @Test
  void whatCannotBeKnownIsNotShown() throws IOException {
    // Whoever may not read it gets another failure than "no such file", as here.
    Files.createDirectory(process.resolve("environ"));
    assertThatThrownBy(this::shown)
        .isInstanceOf(HostException.class)
        .hasMessageContaining("is not shown while the job runs")
        .hasMessageContaining("Run the server as root");
    Files.writeString(folder.resolve("masked"), "");
    assertThat(shown()).isEqualTo("a hush-hush word\n");
  }

  @Test
  void runnerThatHasEndedHasMaskedTheOutputItself() throws IOException {
    Files.delete(process);
    assertThat(shown()).isEqualTo("a hush-hush word\n");
  }

  @Test
  void runnerIsAskedAgainWhereItHadNothingYet() throws IOException {
    Files.writeString(process.resolve("environ"), "PATH=/bin\0");
    assertThat(shown()).isEqualTo("a hush-hush word\n");
    Files.writeString(process.resolve("environ"), "BERTH_RUNNER_WORDS_0=hush-hush\0PATH=/bin\0");
    assertThat(shown()).isEqualTo("a ********* word\n");
  }
}
