package dev.berth.catalog.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.collect.FakePriceApi.Fault;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three kinds of sources side by side: files, an API with moods, and one that always fails. */
class SourcesTest {
  private static final Duration PATIENT = Duration.ofMinutes(1);
  private static final Duration IMPATIENT = Duration.ofMillis(200);

  @TempDir Path folder;
  private final InMemorySnapshots store = new InMemorySnapshots();
  private final List<Duration> pauses = new ArrayList<>();

  @Test
  void oneThatFailsDoesNotLoseTheOthers() throws Exception {
    Files.writeString(folder.resolve("a.csv"), "type,region,price\nm1,east,0.5\nm2,east,oops\n");
    Files.writeString(folder.resolve("b.csv"), "type,region,price\nm1,west,0.6\n");
    try (FakePriceApi api = new FakePriceApi(Fault.TOO_MANY_REQUESTS);
        HttpClient client = HttpClient.newHttpClient()) {
      List<Report> reports =
          new Collector(new TestClock(), 3, PATIENT)
              .collect(
                  List.of(
                      new CsvFolderSource("files", folder),
                      TestSource.failing("down"),
                      paged(api, client, PATIENT)),
                  store,
                  false,
                  Progress.SILENT);
      assertThat(reports).hasSize(3);
      assertThat(reports.get(0))
          .isInstanceOfSatisfying(
              Report.Accepted.class,
              report -> {
                assertThat(report.accounting().rows()).isEqualTo(3);
                assertThat(report.accounting().refused())
                    .containsEntry("the price is no number", 1L);
              });
      assertThat(reports.get(1))
          .isInstanceOfSatisfying(
              Report.Failed.class,
              report -> {
                assertThat(report.sentence()).isEqualTo("the price API is down");
                assertThat(report.cause()).hasMessage("the price API is down");
              });
      assertThat(reports.get(2))
          .isInstanceOfSatisfying(
              Report.Accepted.class,
              report -> assertThat(report.accounting().offers()).isEqualTo(25));
    }
    assertThat(store.sources()).containsExactlyInAnyOrder("files", "api");
    assertThat(pauses).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void halfAPageIsAskedForAgain() throws Exception {
    assertThat(collect(PATIENT, Fault.HALF_A_PAGE, Fault.HALF_A_TEXT))
        .isInstanceOfSatisfying(
            Report.Accepted.class,
            report -> assertThat(report.accounting().offers()).isEqualTo(25));
    assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  @Test
  void aSilentServerIsAskedAgain() throws Exception {
    assertThat(collect(IMPATIENT, Fault.SILENCE)).isInstanceOf(Report.Accepted.class);
  }

  @Test
  void nothingOfAHalfAnswerIsKept() throws Exception {
    assertThat(collect(PATIENT, Fault.HALF_A_TEXT, Fault.HALF_A_TEXT, Fault.HALF_A_TEXT))
        .isInstanceOfSatisfying(
            Report.Failed.class,
            report -> assertThat(report.sentence()).contains("from=0 gave no whole page"));
    assertThat(store.sources()).isEmpty();
  }

  @Test
  void aServerErrorFailsTheSource() throws Exception {
    assertThat(collect(PATIENT, Fault.BROKEN))
        .isInstanceOfSatisfying(
            Report.Failed.class,
            report -> assertThat(report.sentence()).endsWith("answered with 500"));
  }

  private Report collect(Duration timeout, Fault... faults)
      throws IOException, InterruptedException {
    try (FakePriceApi api = new FakePriceApi(faults);
        HttpClient client = HttpClient.newHttpClient()) {
      return new Collector(new TestClock(), 1, PATIENT)
          .collect(List.of(paged(api, client, timeout)), store, false, Progress.SILENT)
          .getFirst();
    }
  }

  private PagedApiSource paged(FakePriceApi api, HttpClient client, Duration timeout) {
    return new PagedApiSource("api", api.address(), client, timeout, pauses::add);
  }
}
