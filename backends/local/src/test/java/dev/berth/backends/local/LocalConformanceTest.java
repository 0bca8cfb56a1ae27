package dev.berth.backends.local;

import dev.berth.model.testing.FreePort;
import dev.berth.testkit.BackendConformance;
import dev.berth.testkit.Limits;
import dev.berth.testkit.Patience;
import dev.berth.testkit.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** This machine keeps the contract of backends. */
class LocalConformanceTest extends BackendConformance {
  private static final Limits LIMITS =
      new Limits(Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMinutes(5));

  @TempDir Path directory;

  @Override
  protected Subject subject() {
    return Subject.of(new LocalBackendType(), Map.of())
        .listening(echoOn(freePort()))
        .within(LIMITS)
        .at(new Subject.Environment(directory, InstantSource.system(), Patience.real()));
  }

  private static Subject.Listener echoOn(int port) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String classes = EchoPort.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return new Subject.Listener(
        port,
        List.of(
            "exec '%s' -cp '%s' %s %d".formatted(java, classes, EchoPort.class.getName(), port)));
  }

  private static int freePort() {
    try {
      return FreePort.find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
