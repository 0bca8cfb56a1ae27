package dev.berth.hosts.process;

import dev.berth.hosts.access.local.ThisMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * The shells that the runner has to work under, each as a machine with nothing else would have it.
 */
public enum JobShell {
  DASH("/usr/bin/dash"),
  BASH("/usr/bin/bash"),
  BUSYBOX("/usr/bin/busybox");

  private final Path binary;

  JobShell(String binary) {
    this.binary = Path.of(binary);
  }

  /** Skips the test when the machine lacks the shell. */
  private void require() {
    Assumptions.assumeTrue(Files.isExecutable(binary), () -> "this machine has no " + binary);
  }

  /** The command that interprets the runner. */
  List<String> command() {
    require();
    return this == BUSYBOX ? List.of(binary.toString(), "sh") : List.of(binary.toString());
  }

  /**
   * The signals that jobs ignore because this JVM does, started by {@code nohup} or a CI runner,
   * and because this shell comes with no {@code env} that could reset them.
   */
  List<String> ignoredSignals() {
    return ThisMachine.ignoredSignals(searchPath());
  }

  /** The search path of runner and job: busybox gets its own tools, as on Alpine. */
  String searchPath() {
    require();
    if (this != BUSYBOX) {
      return "/usr/local/bin:/usr/bin:/bin";
    }
    try {
      Path tools = Files.createDirectories(Path.of("target", "busybox-tools").toAbsolutePath());
      if (Files.notExists(tools.resolve("setsid"))) {
        new ProcessBuilder(binary.toString(), "--install", "-s", tools.toString())
            .start()
            .waitFor();
      }
      return tools.toString();
    } catch (IOException | InterruptedException failure) {
      throw new IllegalStateException("busybox cannot install its tools", failure);
    }
  }
}
