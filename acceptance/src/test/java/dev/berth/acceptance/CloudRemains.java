package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.ConfiguredBackend;
import dev.berth.spi.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated cloud holds for the server of a home, asked of the cloud itself: it is in a
 * file, so its provider is whoever opens it.
 */
final class CloudRemains {
  private final ConfiguredBackend<?> configured;
  private final BackendContext context;

  private CloudRemains(ConfiguredBackend<?> configured, BackendContext context) {
    this.configured = configured;
    this.context = context;
  }

  static CloudRemains of(TestHome home, String backend, Map<String, @Nullable Object> config)
      throws IOException {
    BackendType<?> type =
        StreamSupport.stream(ServiceLoader.load(BackendType.class).spliterator(), false)
            .map(found -> (BackendType<?>) found)
            .filter(found -> found.name().equals("sim"))
            .findFirst()
            .orElseThrow();
    String installation = Files.readString(home.folder().resolve("server/installation"));
    return new CloudRemains(
        ConfiguredBackend.of(type, config),
        new BackendContext(
            backend,
            new Owner(installation.substring(0, 16)),
            home.folder().resolve("server/backend-data").resolve(backend + "@main"),
            Map.of(),
            InstantSource.system()));
  }

  /**
   * So many jobs were rented, each once; all of them ended well, and were then given back, which
   * comes a moment after the end of a run.
   */
  void assertEnded(int count) {
    Await.until("that nothing is held any more", () -> held().map(List::isEmpty).orElse(false));
    Collection<CloudRecords.Job> jobs = new CloudRecords(context.dataDirectory()).jobs();
    assertThat(jobs)
        .extracting(CloudRecords.Job::key)
        .as("jobs of the cloud")
        .doesNotHaveDuplicates()
        .hasSize(count);
    assertThat(jobs).allMatch(CloudRecords.Job::endedWell, "ended well");
    assertThat(jobs).allMatch(CloudRecords.Job::released, "was given back");
  }

  void assertNothingHeld() {
    assertThat(held()).as("jobs of the cloud").contains(List.of());
  }

  /** Empty where the cloud does not answer now. */
  private Optional<List<String>> held() {
    try (Compute compute = configured.open(context)) {
      return Optional.of(compute.runtime().orElseThrow().list(context.owner()));
    } catch (BackendException.Transient | BackendException.RateLimited e) {
      return Optional.empty();
    }
  }
}
