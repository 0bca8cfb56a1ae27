package dev.berth.backends.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.model.testing.FreePort;
import dev.berth.testkit.Subject.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the conformance kit lets jobs listen with, on machines that have only one such program. */
@Timeout(120)
class UsualListenerTest {
  @TempDir Path tools = Path.of("");

  private Process start(int port, List<String> programs) throws IOException {
    for (String program : programs) {
      Path file = Path.of("/usr/bin", program);
      assumeTrue(Files.isExecutable(file), () -> "this machine has no " + file);
      Files.createSymbolicLink(tools.resolve(program), file);
    }
    ProcessBuilder job =
        new ProcessBuilder("/bin/sh", "-c", String.join("\n", Listener.usual(port).commands()))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    job.environment().put("PATH", tools.toString());
    return job.start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"python3", "perl", "busybox"})
  void oneOfThemIsEnough(String program) throws Exception {
    int port = FreePort.find();
    Process job =
        start(port, program.equals("busybox") ? List.of(program, "cat") : List.of(program));
    try {
      for (String line : List.of("there and back\n", "once more\n")) {
        try (Socket socket = connect(port, job)) {
          socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
          assertThat(socket.getInputStream().readNBytes(line.length()))
              .asString(StandardCharsets.UTF_8)
              .isEqualTo(line);
        }
      }
    } finally {
      job.destroyForcibly().waitFor();
    }
  }

  /** Tries again until the job listens; nothing tells of that. */
  private static Socket connect(int port, Process job) throws IOException {
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException refused) {
        assertThat(job.isAlive()).as("the job listens, or will").isTrue();
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void jobThatHasNoneOfThemSaysSo() throws Exception {
    Process job = start(FreePort.find(), List.of("sleep"));
    try {
      assertThat(job.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo(Listener.NO_PROGRAM);
      assertThat(job.isAlive()).isTrue();
    } finally {
      job.destroyForcibly().waitFor();
    }
  }
}
