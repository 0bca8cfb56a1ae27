package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.spi.JobRuntime.Stream;
import dev.berth.spi.Owner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An engine for all tests of a class, and jobs at it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
@Tag(TestEngine.TAG)
abstract class OnAnEngine {
  static final String LISTEN = "exec nc -ll -p 18766 -e /bin/cat";
  static final int PORT = 18766;

  /** Not static: the classes of both engines go on side by side. */
  Path directory = Path.of("");

  private @Nullable TestEngine engine;
  private @Nullable EngineJobs jobs;

  abstract TestEngine start();

  @BeforeAll
  void open(@TempDir Path folder) {
    directory = folder;
    TestEngine started = start();
    engine = started;
    TestImages.busybox(started.engine());
    jobs = new EngineJobs(started, directory.resolve("usual"));
  }

  @AfterAll
  void close() throws Exception {
    try (TestEngine _ = engine) {
      EngineJobs opened = jobs;
      if (opened != null) {
        opened.end();
      }
    }
  }

  EngineJobs jobs() {
    return Objects.requireNonNull(jobs);
  }

  TestEngine engine() {
    return Objects.requireNonNull(engine);
  }

  static Container busybox() {
    return Container.of(TestImages.BUSYBOX);
  }

  /** Does something with jobs of a backend that has settings, and an owner of that name. */
  void with(String name, Map<String, ?> settings, Steps steps) throws Exception {
    EngineJobs own = new EngineJobs(engine(), directory.resolve(name), settings, new Owner(name));
    try {
      steps.take(own);
    } finally {
      own.end();
    }
  }

  interface Steps {
    void take(EngineJobs jobs) throws Exception;
  }

  static String printed(EngineJobs jobs, Container container, String... commands)
      throws InterruptedException {
    String job = jobs.start(EngineJobs.request(container, commands));
    JobObservation.Exited end = jobs.awaitEnd(job);
    assertThat(end).returns(0, JobObservation.Exited::code);
    return jobs.output(job, Stream.STDOUT);
  }

  /** A listening socket tells nobody, so it is looked for inside. */
  static void awaitListening(EngineJobs jobs, String job) throws IOException, InterruptedException {
    try (var look =
        jobs.runtime()
            .exec(
                job,
                List.of(
                    "sh",
                    "-c",
                    "until grep -q ':494E .* 0A ' /proc/net/tcp /proc/net/tcp6; do usleep 50000;"
                        + " done"))) {
      look.input().close();
      look.output().readAllBytes();
      assertThat(look.exitCode()).isZero();
    }
  }

  /** What comes back from a port of this machine. */
  static String echoed(int port, String word) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readNBytes(word.length()), StandardCharsets.UTF_8);
    }
  }
}
