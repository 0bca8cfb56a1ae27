package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.DoctorView.Check;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DoctorChecksTest {
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");

  @TempDir Path folder = Path.of("");

  @Test
  void aTokenThatOthersMayReadFails() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "secret");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r-----"));
    Check open = LocalChecks.rights(token);
    assertThat(open.state()).isEqualTo("fail");
    assertThat(open.remedy()).isEqualTo("chmod 600 " + token);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    assertThat(LocalChecks.rights(token).state()).isEqualTo("ok");
  }

  @Test
  void aToolThatIsMissingOrBrokenIsAWarningAndSaysWhatItIsFor() throws Exception {
    Check missing =
        LocalChecks.tool("git", "needed for x", "no-such-program-of-berth", "--version");
    assertThat(missing.state()).isEqualTo("warn");
    assertThat(missing.sentence()).isEqualTo("not installed; needed for x");
    Check broken = LocalChecks.tool("git", "needed for x", "sh", "-c", "echo no daemon; exit 3");
    assertThat(broken.state()).isEqualTo("warn");
    assertThat(broken.sentence()).isEqualTo("does not work: no daemon; needed for x");
    assertThat(broken.remedy()).isEqualTo("run 'sh -c' and correct what it reports");
    assertThat(LocalChecks.tool("git", "needed for x", "sh", "-c", "echo git 9; echo more"))
        .isEqualTo(Check.ok("git", "git 9"));
  }

  @Test
  void anOldJavaFails() {
    assertThat(LocalChecks.java(24).state()).isEqualTo("fail");
    assertThat(LocalChecks.java(25).state()).isEqualTo("ok");
  }

  @Test
  void everyPartOfThisMachineIsLookedAt() throws Exception {
    assertThat(LocalChecks.of(new Home(folder.resolve("home"))))
        .extracting(Check::part)
        .isEqualTo(List.of("java", "home", "git", "ssh", "docker"));
  }

  @Test
  void clocksMayDifferByTheTimeOfTheAnswerAndALittle() {
    Instant answered = NOON.plusSeconds(2);
    assertThat(ServerChecks.clocks(NOON, NOON.plusSeconds(1), answered).sentence())
        .contains(" 0 ms");
    assertThat(ServerChecks.clocks(NOON, NOON.plusSeconds(6), answered).state()).isEqualTo("ok");
    assertThat(ServerChecks.clocks(NOON, NOON.plusSeconds(8), answered).state()).isEqualTo("warn");
    assertThat(ServerChecks.clocks(NOON, NOON.minusSeconds(6), answered).state()).isEqualTo("warn");
  }

  @Test
  void aStrangeFormatOfTheLogIsRefused() {
    Command command = Command.run("server", "--log-format", "xml");
    assertThat(command.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(command.err()).contains("--log-format is text or json, not 'xml'");
  }
}
