package dev.berth.testkit.awkward;

import dev.berth.testkit.Setup;
import dev.berth.testkit.Subject;
import dev.berth.testkit.fake.FakeProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The awkward cloud as a subject, whose time passes only when the kit waits.
 *
 * @param type the backend, or a broken one
 */
public record AwkwardSetup(AwkwardBackendType type) implements Setup {
  /** A backend that keeps the contract. */
  public static AwkwardSetup sound() {
    return new AwkwardSetup(new AwkwardBackendType());
  }

  @Override
  public Running start(Path directory) {
    try {
      FakeProvider cloud = FakeProvider.start(new AwkwardCloud());
      return new Running(subject(cloud, directory), cloud::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The backend at a cloud that is served. */
  public Subject subject(FakeProvider cloud, Path directory) {
    return Subject.of(type, settings(cloud, AwkwardCloud.KEY))
        .refusing(settings(cloud, "a-wrong-key"))
        .called("run" + Integer.toHexString(directory.hashCode() & 0xffffff))
        .at(new Subject.Environment(directory, cloud.clock(), cloud.clock().patience()))
        .watching(cloud.side(AwkwardCloud.PAGE));
  }

  private static Map<String, @Nullable Object> settings(FakeProvider cloud, String key) {
    return Map.of(
        "creds", Map.of("type", "api_key", "api_key", key), "endpoint", cloud.address().toString());
  }
}
