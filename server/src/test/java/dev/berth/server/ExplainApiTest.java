package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.ClientException;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.CatalogOfferView;
import dev.berth.model.api.ExplainView;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Why runs have no place, through the API of a real server. */
@Timeout(120)
class ExplainApiTest {
  private static final String PROJECT = RunningServer.PROJECT;

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RunningServer(home);
    server
        .client()
        .addBackend(
            PROJECT,
            new BackendRequest("cloud", "sim", Map.of("state", "memory", "gives", "machines")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static RunRequest task(String name, Object... more) {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task(name, "sleep 600").configuration());
    configuration.put("backends", List.of("cloud"));
    for (int i = 0; i < more.length; i += 2) {
      configuration.put(String.valueOf(more[i]), more[i + 1]);
    }
    return new RunRequest(name, configuration);
  }

  private static Map<String, Object> h100() {
    return Map.of("gpu", Map.of("name", List.of("H100"), "count", Map.of("min", 1, "max", 1)));
  }

  @Test
  void aFileIsExplainedBeforeItIsSubmitted() {
    ExplainView dear =
        server.client().explain(PROJECT, task("dear", "resources", h100(), "max_price", 0.01));
    assertThat(dear.verdict()).isEqualTo("unplaceable");
    assertThat(dear.remedies())
        .extracting(ExplainView.Remedy::fields)
        .containsExactly(List.of("max_price"));
    assertThat(dear.remedies().getFirst().place()).contains("sim-h100-1");
    assertThat(dear.rules())
        .anySatisfy(
            rule -> {
              assertThat(rule.name()).isEqualTo("max_price");
              assertThat(rule.alone()).isPositive();
            });
    assertThat(String.join(" ", dear.sentences())).contains("Without 'max_price'");

    ExplainView fine = server.client().explain(PROJECT, task("fine", "resources", h100()));
    assertThat(fine.verdict()).isEqualTo("placeable");
    assertThat(fine.place()).contains("sim-h100-1");
    assertThat(fine.offers()).isPositive();

    ExplainView refused =
        server.client().explain(PROJECT, task("odd", "backends", List.of("nimbus")));
    assertThat(refused.verdict()).isEqualTo("refused");
    assertThat(refused.refusals()).extracting("path").containsExactly("backends");
    assertThat(server.client().list(PROJECT, true, 10, null).runs()).isEmpty();
  }

  @Test
  void onlyWhatTheBackendsHaveThatWereAskedForIsCounted() {
    Map<String, Object> onlySmall =
        Map.of(
            "instance_types",
            List.of(Map.of("name", "tiny", "cpus", 1, "memory", "1GB", "price", 1)));
    server
        .client()
        .addBackend(
            PROJECT,
            new BackendRequest(
                "poor",
                "sim",
                Map.of("state", "memory", "gives", "machines", "scenario", onlySmall)));
    int offers = sold("poor").size();
    ExplainView explained =
        server
            .client()
            .explain(PROJECT, task("big", "backends", List.of("poor"), "resources", h100()));
    assertThat(explained.offers()).isEqualTo(offers).isPositive();
    assertThat(explained.machines()).isZero();
    assertThat(explained.sentences().getFirst())
        .isEqualTo(
            "Nothing matches: 0 machines and " + offers + " offers of poor were considered.");
    assertThat(explained.rules())
        .isNotEmpty()
        .allSatisfy(
            rule -> {
              assertThat(rule.name()).isNotEqualTo("backends");
              assertThat(rule.places()).isLessThanOrEqualTo(offers);
              assertThat(rule.nearest()).startsWith("poor/");
            });
    assertThat(explained.remedies())
        .extracting(ExplainView.Remedy::fields)
        .contains(List.of("backends"));
  }

  @Test
  void offersAreAskedForByTheNameOfABackendAndByItsType() {
    server
        .client()
        .addBackend(
            PROJECT,
            new BackendRequest("other", "sim", Map.of("state", "memory", "gives", "machines")));
    List<CatalogOfferView> byName = sold("cloud");
    assertThat(byName).isNotEmpty().allSatisfy(one -> assertThat(one.source()).isEqualTo("cloud"));
    assertThat(sold("sim"))
        .hasSize(2 * byName.size())
        .extracting(CatalogOfferView::source)
        .contains("cloud", "other");
    // A machine that is there by itself has a name and a type, too.
    assertThat(sold("local")).hasSize(1);
    assertThat(sold("cloud", "local")).hasSize(byName.size() + 1);
    OfferList grouped = server.client().offers(PROJECT, offersOf(List.of("backend"), "cloud"));
    assertThat(grouped.total()).isEqualTo(byName.size());
  }

  private List<CatalogOfferView> sold(String... backends) {
    OfferList list = server.client().offers(PROJECT, offersOf(List.of(), backends));
    assertThat(list.warnings()).isEmpty();
    return list.offers();
  }

  private static OfferRequest offersOf(List<String> groupBy, String... backends) {
    return new OfferRequest(
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(backends),
        List.of(),
        List.of(),
        List.of(),
        false,
        null,
        groupBy);
  }

  @Test
  void aRunThatFoundNoPlaceIsExplainedAfterItsEnd() {
    server.submit(task("vain", "resources", h100(), "max_price", 0.01));
    Await.until(() -> server.client().get(PROJECT, "vain").run().finishedAt() != null);
    ExplainView explained = server.client().explain(PROJECT, "vain");
    assertThat(explained.verdict()).isEqualTo("unplaceable");
    assertThat(explained.sentences().getFirst()).contains("It ended as failed");
    assertThat(explained.remedies()).isNotEmpty();
  }

  @Test
  void runsThatHaveAPlaceOrWaitForOthersSaySo() {
    server.submit(task("placed", "resources", h100()));
    Await.until(() -> server.client().get(PROJECT, "placed").run().backend() != null);
    ExplainView placed = server.client().explain(PROJECT, "placed");
    assertThat(placed.verdict()).isEqualTo("placed");
    assertThat(placed.sentences().getFirst()).contains("cloud for $");
    server.submit(task("later", "after", List.of("placed")));
    ExplainView later = server.client().explain(PROJECT, "later");
    assertThat(later.sentences().getFirst()).contains("waiting for other runs").contains("placed");
    assertThat(later.verdict()).isEqualTo("placeable");
    server.client().stop(PROJECT, "placed", true);
    Await.until(() -> server.client().get(PROJECT, "placed").run().finishedAt() != null);
    assertThat(server.client().explain(PROJECT, "placed").verdict()).isEqualTo("ended");
    assertThatThrownBy(() -> server.client().explain(PROJECT, "nobody"))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(404));
  }
}
