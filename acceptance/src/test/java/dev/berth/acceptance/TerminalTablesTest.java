package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tables at a terminal of 80 columns, and in a pipe. */
final class TerminalTablesTest {
  private static final Path SCRIPT = Path.of("/usr/bin/script");
  private static final int TERMINAL = 80;

  private final TestHome home = TestHome.fresh();

  @AfterEach
  void close() {
    home.close();
  }

  /** Runs a command in a pseudo-terminal of 80 columns and returns what it shows. */
  private String atTheTerminal(String... arguments) {
    assumeTrue(Files.isExecutable(SCRIPT), "there is no script command to make a terminal with");
    String command =
        Distribution.command(arguments).stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    return home.startProgram(
            List.of(
                SCRIPT.toString(),
                "-qec",
                "unset COLUMNS; stty cols " + TERMINAL + "; " + command,
                "/dev/null"),
            home.scratch())
        .await()
        .expect(0)
        .out()
        .replace("\r", "");
  }

  @Test
  void aTableFitsTheTerminalAndIsWholeInAPipe() {
    String shown = atTheTerminal("backend", "types");
    assertThat(shown).contains("TYPE", "CAPABILITIES", "instance_volumes");
    assertThat(shown.lines())
        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(TERMINAL));
    assertThat(home.berth("backend", "types").expect(0).out().lines())
        .anySatisfy(line -> assertThat(line.length()).isGreaterThan(TERMINAL));
  }
}
