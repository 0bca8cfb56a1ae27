package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** {@code berth validate} for people. */
final class ValidateTextTest {
  private static final String GOOD = "type: task\ncommands: [echo]\n";
  private static final String BAD = "type: task\nname: Train\nports:\n  - http\n";

  @TempDir Path folder;

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void aValidFileIsSaidToBeValid() throws IOException {
    String file = file("good.yml", GOOD);
    Command command = Command.run("validate", "-f", file);
    assertThat(command.exitCode()).isZero();
    assertThat(command.out()).isEqualTo(file + ": valid task" + System.lineSeparator());
    assertThat(command.err()).isEmpty();
  }

  @Test
  void everyMistakeIsALineThatEditorsCanFollow() throws IOException {
    String file = file("bad.yml", BAD);
    Command command = Command.run("validate", "-f", file);
    assertThat(command.exitCode()).isEqualTo(65);
    assertThat(command.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith(file + ":1:1: there is nothing to run"),
            line -> assertThat(line).startsWith(file + ":2:7: name: expected a name"),
            line -> assertThat(line).startsWith(file + ":4:5: ports[0]: expected a port"));
  }

  @Test
  void aWarningIsShownAndTheFileStaysValid() throws IOException {
    String file = file("old.yml", GOOD + "home_dir: /root\n");
    Command command = Command.run("validate", "-f", file);
    assertThat(command.exitCode()).isZero();
    assertThat(command.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith(file + ":3:1: home_dir: warning: "),
            line -> assertThat(line).isEqualTo(file + ": valid task"));
  }

  @Test
  void oneBadFileAmongSeveralMakesTheCommandFail() throws IOException {
    String good = file("good.yml", GOOD);
    String bad = file("bad.yml", BAD);
    Command command = Command.run("validate", "-f", good, bad, "-f", good);
    assertThat(command.exitCode()).isEqualTo(65);
    assertThat(command.out().lines().filter(line -> line.endsWith(": valid task"))).hasSize(2);
    assertThat(command.out().lines().filter(line -> line.startsWith(bad))).hasSize(3);
  }

  @Test
  void filesMayBeNamedWithoutTheOption() throws IOException {
    assertThat(Command.run("validate", file("good.yml", GOOD)).exitCode()).isZero();
  }

  @Test
  void aMissingFileIsAnInvalidFile() {
    String file = folder.resolve("missing.yml").toString();
    Command command = Command.run("validate", "-f", file);
    assertThat(command.exitCode()).isEqualTo(65);
    assertThat(command.out().strip()).isEqualTo(file + ": there is no such file");
  }

  @Test
  void aFolderIsAnInvalidFile() {
    Command command = Command.run("validate", "-f", folder.toString());
    assertThat(command.exitCode()).isEqualTo(65);
    assertThat(command.out().strip()).isEqualTo(folder + ": this is a folder, not a file");
  }

  @Test
  void aNameThatNoFileSystemAllowsIsAnInvalidFile() {
    Command command = Command.run("validate", "-f", "a\0b");
    assertThat(command.exitCode()).isEqualTo(65);
    assertThat(command.out()).contains(": this is not a valid file name");
  }

  @Test
  void aFileThatIsTooLargeIsToldSo() throws IOException {
    Path file = folder.resolve("large.yml");
    Files.write(file, new byte[10 * 1024 * 1024 + 1]);
    Command command = Command.run("validate", "-f", file.toString());
    assertThat(command.exitCode()).isEqualTo(65);
    assertThat(command.out()).startsWith(file + ":1:1: the file has ");
  }

  @Test
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void aDashReadsStandardInput() {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(GOOD.getBytes(StandardCharsets.UTF_8)));
    try {
      Command command = Command.run("validate", "-f", "-");
      assertThat(command.exitCode()).isZero();
      assertThat(command.out().strip()).isEqualTo("-: valid task");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void withoutAFileTheCommandLineIsWrong() {
    Command command = Command.run("validate");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("no file given", "berth validate --help");
    assertThat(command.out()).isEmpty();
  }

  @Test
  void anUnknownOptionIsAWrongCommandLine() {
    Command command = Command.run("validate", "--jsn", "-f", "x");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("--jsn");
  }
}
