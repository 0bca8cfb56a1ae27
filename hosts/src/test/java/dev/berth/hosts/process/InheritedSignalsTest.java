package dev.berth.hosts.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.hosts.jobdir.JobWarnings;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.spi.Execution;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs start with default signals, also when the server was started by {@code nohup}, in the
 * background or by a CI runner, which let it ignore some.
 */
final class InheritedSignalsTest {
  private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

  @TempDir Path folder = Path.of("");

  /** A server of its own process: tells how jobs end that send themselves a signal. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws Exception {
      try (JobFixture jobs =
          new JobFixture(HostSettings.of(ThisMachine.ACCESS, MachinePath.of(arguments[0])))) {
        for (String signal : List.of("HUP", "INT", "QUIT")) {
          Exited exited = jobs.run(JobFixture.spec(signal, "kill -" + signal + " $$"));
          System.out.println(signal + " " + exited.code().orElseThrow());
        }
        jobs.launch(JobFixture.spec("runs", "echo begun", "sleep 600"));
        jobs.awaitFirstLine("runs");
        try (Execution inside =
            jobs.runtime.exec("runs", List.of("sh", "-c", "kill -INT $$; exit 3"))) {
          System.out.println("exec " + inside.exitCode());
        }
        JobWarnings.of(jobs.directory("INT")).forEach(System.out::println);
      }
    }
  }

  private List<String> jobsOfAServerThatIgnoresSignals(String path) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                "/bin/sh",
                "-c",
                "trap '' HUP INT QUIT; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Server.class.getName(),
                folder.resolve("host").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("PATH", path);
    Process server = builder.start();
    List<String> lines =
        new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(server.waitFor()).isZero();
    return lines;
  }

  @Test
  void jobsAndCommandsInsideOfThemEndByTheSignalsThatTheServerIgnores() throws Exception {
    Process trial = new ProcessBuilder("env", "--default-signal", "true").start();
    assumeTrue(trial.waitFor() == 0, "the env of this machine has no --default-signal");
    assertThat(jobsOfAServerThatIgnoresSignals(PATH))
        .containsExactly("HUP 129", "INT 130", "QUIT 131", "exec 130");
  }

  /** The JVM handles QUIT itself, whatever it inherited, and so does not pass it on as ignored. */
  @Test
  void whereEnvCannotResetThemTheJobIgnoresThemAndAWarningSaysSo() throws Exception {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    Path env = tools.resolve("env");
    Files.writeString(env, "#!/bin/sh\necho \"unrecognized option: $1\" >&2\nexit 1\n");
    Files.setPosixFilePermissions(env, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(jobsOfAServerThatIgnoresSignals(tools + ":" + PATH))
        .containsExactly(
            "HUP 0",
            "INT 0",
            "QUIT 131",
            "exec 3",
            "the job ignores HUP, INT, because the server was started so and this machine's env has"
                + " no --default-signal (coreutils 8.31 or newer has)");
  }
}
