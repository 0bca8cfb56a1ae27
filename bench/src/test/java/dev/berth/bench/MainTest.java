package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final @Nullable String data = System.clearProperty(PublishedOffers.DATA);

  @AfterEach
  void restoreTheProperty() {
    if (data != null) {
      System.setProperty(PublishedOffers.DATA, data);
    }
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnes() throws Exception {
    assertThat(run("submit-to-strat")).isEqualTo(64);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("'submit-to-strat'")
        .contains(Catalog.names());
  }

  @Test
  void anUnknownOptionIsRefused() throws Exception {
    assertThat(run("--jsn")).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("'--jsn'").contains("--json");
  }

  @Test
  void theListHasOneNamePerLine() throws Exception {
    assertThat(run("--list")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactlyElementsOf(Catalog.names());
  }

  @Test
  void everyFigureHasItsOwnName() {
    assertThat(Catalog.names())
        .doesNotHaveDuplicates()
        .contains(
            "validate-process",
            "ps-process",
            "version-process",
            "grammar-read",
            "submit-to-start",
            "submit-to-start-p99",
            "submit-to-done",
            "docker-submit-to-start",
            "docker-fifty-at-once",
            "server-start",
            "server-idle-memory",
            "log-throughput",
            "offer-query-p50",
            "offer-x10-query-p99",
            "sim-active-memory",
            "plan-p99",
            "machines-watched",
            "machines-watched-calls",
            "sim-throughput",
            "sim-throughput-catalog",
            "sim-postgres-throughput-catalog",
            "sim-done-p99");
  }

  @Test
  void aFigureSelectsItsBenchmark() {
    assertThat(Catalog.select(List.of("submit-to-start-p99", "submit-to-start"))).hasSize(1);
    assertThat(Catalog.select(List.of())).isEqualTo(Catalog.ALL);
  }

  @Test
  void whatNeedsDataThatIsNotThereIsSkippedWithAReason(@TempDir Path nowhere) throws Exception {
    Path root = nowhere.resolve("checkout");
    int code =
        new Main(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                root)
            .run(List.of("offer-query-p50"));
    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("offer-query-p50 skipped: there are no published offers in " + nowhere);
  }

  @Test
  void whatNeedsPublishedOffersIsMissingWhereThereAreNone(@TempDir Path nowhere) {
    assertThat(
            Catalog.select(
                List.of("plan-p99", "sim-throughput-catalog", "sim-postgres-throughput-catalog")))
        .hasSize(3)
        .allSatisfy(
            benchmark ->
                assertThat(benchmark.missing(nowhere.resolve("checkout")).orElseThrow())
                    .contains(nowhere.toString()));
  }

  private int run(String... arguments) throws IOException, InterruptedException {
    return new Main(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Path.of("").toAbsolutePath())
        .run(List.of(arguments));
  }
}
