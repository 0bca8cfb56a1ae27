package dev.berth.testkit.awkward.containers;

import dev.berth.testkit.Limits;
import dev.berth.testkit.Setup;
import dev.berth.testkit.Subject;
import dev.berth.testkit.fake.FakeClock;
import dev.berth.testkit.fake.FakeProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The awkward cloud of containers as a subject. Jobs run as long as they run; over whatever takes
 * longer, time is advanced.
 *
 * @param type the backend, or a broken one
 */
public record AwkwardContainerSetup(AwkwardContainerType type) implements Setup {
  /** What a process of this machine has not done by then it never does, however busy all is. */
  private static final Limits LIMITS =
      new Limits(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofMinutes(2));

  /** A backend that keeps the contract. */
  public static AwkwardContainerSetup sound() {
    return new AwkwardContainerSetup(new AwkwardContainerType());
  }

  /** Serves a cloud. */
  static FakeProvider served() throws IOException {
    return FakeProvider.start(
        new AwkwardContainerCloud(), FakeProvider.Options.usual().at(FakeClock.running()));
  }

  @Override
  public Running start(Path directory) {
    try {
      FakeProvider cloud = served();
      return new Running(subject(cloud, directory), cloud::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The backend at a cloud that is served. */
  Subject subject(FakeProvider cloud, Path directory) {
    return Subject.of(type, settings(cloud, AwkwardContainerCloud.KEY))
        .refusing(settings(cloud, "a-wrong-key"))
        .with(Subject.Shell.REAL)
        .within(LIMITS)
        .called("run" + Integer.toHexString(directory.hashCode() & 0xffffff))
        .at(new Subject.Environment(directory, cloud.clock(), cloud.clock().patience()))
        .watching(cloud.side(AwkwardContainerCloud.PAGE));
  }

  private static Map<String, @Nullable Object> settings(FakeProvider cloud, String key) {
    return Map.of(
        "creds", Map.of("type", "api_key", "api_key", key), "endpoint", cloud.address().toString());
  }
}
