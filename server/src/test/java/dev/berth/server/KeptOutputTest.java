package dev.berth.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.testing.FilesThatAreThere;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Output of jobs whose machines were given back. */
@Timeout(120)
class KeptOutputTest {
  private static final String PROJECT = RunningServer.PROJECT;

  /** Long enough for two pieces. */
  private static final int NUMBERS = 700_000;

  @TempDir Path home = Path.of("");

  private static void addCloud(RunningServer server, Map<String, Object> latencies) {
    server
        .client()
        .addBackend(
            PROJECT,
            new BackendRequest(
                "cloud",
                "sim",
                Map.of(
                    "gives",
                    "machines",
                    "scenario",
                    Map.of("boot_time", "50ms", "delete_time", "50ms", "latencies", latencies))));
  }

  private static RunRequest task(String name, String... commands) {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task(name, commands).configuration());
    configuration.put("backends", List.of("cloud"));
    configuration.put("idle_duration", "0s");
    return new RunRequest(name, configuration);
  }

  /** Waits until so many jobs have ended and no machine is left; two jobs may have shared one. */
  private static void awaitGone(RunningServer server, int jobs) {
    Await.until(
        () -> {
          List<EventView> events = server.client().events(PROJECT, 0, 1000, 0).events();
          return entities(events, "attempt.ended").size() >= jobs
              && entities(events, "instance.gone").equals(entities(events, "instance."));
        });
  }

  private static Set<String> entities(List<EventView> events, String kind) {
    return events.stream()
        .filter(event -> event.kind().startsWith(kind))
        .map(EventView::entityId)
        .collect(Collectors.toSet());
  }

  private List<Path> pieces() throws IOException {
    return FilesThatAreThere.below(home.resolve("server/blobs/outputs"));
  }

  /** What {@code seq} writes. */
  private static byte[] numbers() {
    return IntStream.rangeClosed(1, NUMBERS)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining("\n", "", "\n"))
        .getBytes(UTF_8);
  }

  @Test
  void outputOutlivesTheMachineAndTheServerAndGoesWithTheRun() throws IOException {
    byte[] expected = numbers();
    assertThat(expected.length).isGreaterThan(KeptOutput.PIECE_BYTES);
    try (RunningServer server = new RunningServer(home)) {
      addCloud(server, Map.of());
      server.submit(task("long", "seq 1 " + NUMBERS));
      server.submit(task("short", "echo here"));
      server.submit(task("silent", "true"));
      awaitGone(server, 3);
      assertThat(server.outputOf("long")).isEqualTo(expected);
      // Across the border of two pieces, and after the end.
      int border = KeptOutput.PIECE_BYTES - 5;
      BerthClient.Range range =
          server.client().log(PROJECT, "long", new BerthClient.Source(0, 0), "stdout", border);
      assertThat(range.bytes())
          .isEqualTo(java.util.Arrays.copyOfRange(expected, border, expected.length));
      assertThat(range.ended()).isTrue();
      BerthClient.Range after =
          server
              .client()
              .log(PROJECT, "long", new BerthClient.Source(0, 0), "stdout", expected.length);
      assertThat(after.bytes()).isEmpty();
      assertThat(after.ended()).isTrue();
      assertThat(server.outputOf("silent")).isEmpty();
    }
    assertThat(pieces()).hasSize(3);
    try (RunningServer server = new RunningServer(home)) {
      assertThat(new String(server.outputOf("short"), UTF_8)).isEqualTo("here\n");
      server.client().delete(PROJECT, "long");
      Await.until(
          () -> {
            try {
              return pieces().size() == 1;
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
      assertThat(new String(server.outputOf("short"), UTF_8)).isEqualTo("here\n");
    }
  }

  @Test
  void aMachineWaitsForAProviderWhoIsSlowToGiveOutput() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      addCloud(server, Map.of("read", Map.of("min", "2s", "max", "2s")));
      server.submit(task("slow", "seq 1 " + NUMBERS));
      awaitGone(server, 1);
      assertThat(server.outputOf("slow")).isEqualTo(numbers());
    }
  }
}
