package dev.berth.backends.docker;

import dev.berth.spi.Deviation;
import dev.berth.testkit.BackendConformance;
import dev.berth.testkit.Limits;
import dev.berth.testkit.Patience;
import dev.berth.testkit.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** An engine keeps the contract of backends. */
@Tag(TestEngine.TAG)
abstract class EngineConformance extends BackendConformance {
  private static final Limits LIMITS =
      new Limits(Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMinutes(5));
  private static final int PORT = 18765;

  @TempDir Path directory;

  private @Nullable TestEngine engine;

  abstract TestEngine start();

  List<Deviation> deviations() {
    return List.of();
  }

  @BeforeAll
  void startEngine() {
    TestEngine started = start();
    engine = started;
    TestImages.busybox(started.engine());
  }

  @AfterAll
  void endEngine() {
    TestEngine started = engine;
    if (started != null) {
      started.close();
    }
  }

  @Override
  protected Subject subject() {
    TestEngine started = engine;
    if (started == null) {
      throw new IllegalStateException("the engine was not started");
    }
    return Subject.of(new DockerBackendType(), Map.of("host", started.host()))
        .in(TestImages.BUSYBOX)
        .listening(new Subject.Listener(PORT, List.of("exec nc -ll -p " + PORT + " -e /bin/cat")))
        .within(LIMITS)
        .deviating(deviations())
        .at(new Subject.Environment(directory, InstantSource.system(), Patience.real()));
  }

  /** Whether this machine lets its processes have what a privileged container needs. */
  static boolean givesAllCapabilities() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("CapBnd:"))
          .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
          .allMatch(bits -> Long.bitCount(bits + 1) == 1);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
