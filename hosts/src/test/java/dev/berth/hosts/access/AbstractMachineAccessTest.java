package dev.berth.hosts.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.HostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every way into a machine keeps, in three parts: files, commands with processes, streams. An
 * implementation runs each of them. The machine has a POSIX shell and {@code /proc}, and shares the
 * loopback and the file system with the test, which otherwise touches it through the contract only.
 */
@Timeout(60)
public abstract class AbstractMachineAccessTest {
  protected static final Duration PATIENCE = Duration.ofSeconds(30);

  protected final MachineAccess machine;
  protected final MachineFiles files;
  protected MachinePath folder = MachinePath.of("");

  /** Of a machine, which is let go of after each test. */
  protected AbstractMachineAccessTest(MachineAccess machine) {
    this.machine = machine;
    this.files = machine.files();
  }

  /** A folder of the machine that is empty and writable, and deleted after the test. */
  protected abstract MachinePath emptyFolder();

  @BeforeEach
  void enter() {
    folder = emptyFolder();
  }

  @AfterEach
  void leave() {
    machine.close();
    // A second time is as good as once.
    machine.close();
  }

  /** What a line of shell prints, with the folder as its place. */
  protected String sh(String line) {
    Command command =
        new Command(
            List.of("/bin/sh", "-c", line), Map.of("PATH", "/usr/bin:/bin", "LC_ALL", "C"), folder);
    try (OpenCommand open = machine.commands().open(command)) {
      open.input().close();
      String printed = new String(open.output().readAllBytes(), StandardCharsets.UTF_8);
      String errors = new String(open.errors().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(open.exitCode()).as("%s: %s", line, errors).isZero();
      return printed;
    } catch (Exception failure) {
      throw new IllegalStateException(line, failure);
    }
  }

  protected Optional<String> text(MachinePath file) {
    return files
        .read(file, 0, Integer.MAX_VALUE)
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  protected static void refuses(HostException.Code code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            HostException.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }
}
