package dev.berth.hosts.jobdir;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.ThisMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file in which jobs say what they do without; a container may write anything there. */
final class JobWarningsTest {
  @TempDir Path folder = Path.of("");

  private Path file = Path.of("");

  @BeforeEach
  void place() {
    file = folder.resolve("warnings");
  }

  private List<String> read() {
    return JobWarnings.of(new JobDirectory(ThisMachine.ACCESS.files(), path(folder)));
  }

  @Test
  void eachLineIsASentence() throws IOException {
    assertThat(read()).isEmpty();
    Files.writeString(file, "no ulimit\n\nan old image\nno ulimit\n");
    assertThat(read()).containsExactly("no ulimit", "an old image");
  }

  @Test
  void noMoreIsBelievedThanAPersonWouldRead() throws IOException {
    Files.writeString(file, "x".repeat(2 * JobWarnings.LONGEST) + "\n");
    assertThat(read()).containsExactly("x".repeat(JobWarnings.LONGEST) + "...");
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 3 * JobWarnings.MOST; i++) {
      many.append(i).append('\n');
    }
    Files.writeString(file, many);
    assertThat(read()).hasSize(JobWarnings.MOST);
  }

  @Test
  void whateverIsThereInsteadIsNoFailure() throws IOException {
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, '\n'});
    assertThat(read()).hasSize(1);
    Files.delete(file);
    Files.createSymbolicLink(file, Path.of("/dev/zero"));
    assertThat(read()).isEmpty();
    Files.delete(file);
    Files.createDirectory(file);
    assertThat(read()).isEmpty();
  }
}
