package dev.berth.server;

import static dev.berth.server.RunningServer.PROJECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.api.CatalogOfferView;
import dev.berth.model.api.DoctorView.Check;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.api.OfferView;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.testing.CatalogMirror;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where no catalog is imported, the server fetches a published one when it is needed. */
class DefaultCatalogApiTest {
  private static final String CSV =
      """
      instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,\
      gpu_vendor,flags,cpu_arch,provider_data
      eight,eu-west-1,30.0,192,2048.0,8,H100,80.0,False,,nvidia,,x86,{}
      eight,us-east-1,31.0,192,2048.0,8,H100,80.0,False,,nvidia,,x86,{}
      small,us-east-1,0.09,2,8.0,0,,,False,,,,x86,{}
      """;

  /** Of today: prices that are old when they come are told to be. */
  private final String version =
      LocalDate.now(ZoneOffset.UTC).format(DateTimeFormatter.BASIC_ISO_DATE) + "-1";

  private CatalogMirror mirror;
  private String address;

  @TempDir Path home = Path.of("");

  @BeforeEach
  void publish() throws IOException {
    mirror = new CatalogMirror(version).publish("aws", CSV);
    address = mirror.url();
  }

  @AfterEach
  void close() {
    mirror.close();
  }

  private RunningServer start(String variable) throws IOException {
    return new RunningServer(home, Map.of("BERTH_CATALOG", variable), (_, _) -> {});
  }

  private static OfferRequest offers(List<String> backends) {
    return new OfferRequest(
        null, null, null, null, null, null, backends, List.of(), List.of(), List.of(), false, null,
        List.of());
  }

  private static RunRequest task(@Nullable String gpu, @Nullable List<String> backends) {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "task");
    configuration.put("name", "train");
    configuration.put("commands", List.of("true"));
    if (gpu != null) {
      configuration.put("resources", Map.of("gpu", gpu));
    }
    if (backends != null) {
      configuration.put("backends", backends);
    }
    return new RunRequest("train", configuration);
  }

  /** The first copy is waited for, so whoever asks twice has it, however slow the machine is. */
  private static OfferList untilFetched(RunningServer server) {
    OfferList answer = server.client().offers(PROJECT, offers(List.of()));
    while (answer.warnings().toString().contains("is being fetched")) {
      answer = server.client().offers(PROJECT, offers(List.of()));
    }
    return answer;
  }

  @Test
  void offersOfTheCatalogStandBesideTheMachineAndAreMarked() throws IOException {
    try (RunningServer server = start(address)) {
      OfferList answer = untilFetched(server);
      assertThat(answer.offers())
          .filteredOn(offer -> offer.backend().equals("aws"))
          .hasSize(3)
          .extracting(CatalogOfferView::availability)
          .containsOnly("not_configured");
      assertThat(answer.offers())
          .filteredOn(offer -> offer.backend().equals("local"))
          .extracting(CatalogOfferView::availability)
          .containsExactly("available");
      assertThat(answer.warnings())
          .containsExactly("prices are from the catalog at " + address + ", fetched just now");
      assertThat(server.client().offers(PROJECT, offers(List.of("aws"))).warnings())
          .contains("no backend 'aws' is configured, so its offers cannot be used here");
    }
  }

  @Test
  void nobodyIsAskedForWhatThisMachineTakes() throws IOException {
    try (RunningServer server = start(address)) {
      assertThat(server.client().plan(PROJECT, task(null, null)).offers()).isNotEmpty();
      assertThat(server.client().plan(PROJECT, task("H100:8", List.of("local"))).offers())
          .isEmpty();
      assertThat(server.client().offers(PROJECT, offers(List.of("local"))).offers()).hasSize(1);
      assertThat(mirror.requested()).isEmpty();
    }
  }

  @Test
  void aPlanThatNothingFitsShowsWhatWouldAndDoesNotOfferIt() throws IOException {
    try (RunningServer server = start(address)) {
      untilFetched(server);
      PlanView plan = server.client().plan(PROJECT, task("H100:8", null));
      assertThat(plan.offers()).isEmpty();
      assertThat(plan.elsewhere()).hasSize(1);
      OfferView offer = plan.elsewhere().getFirst();
      assertThat(offer.backend()).isEqualTo("aws");
      assertThat(offer.price()).isEqualTo(30.0);
      assertThat(offer.availability()).isEqualTo("not_configured");
      assertThat(plan.notes()).singleElement().asString().contains("fetched just now");
    }
  }

  @Test
  void theFileTurnsItOffOrNamesAnotherPlace() throws IOException {
    Files.writeString(home.resolve("server.yml"), "catalog: off\n");
    try (RunningServer server = start("")) {
      OfferList answer = server.client().offers(PROJECT, offers(List.of()));
      assertThat(answer.warnings()).isEmpty();
      assertThat(answer.offers()).extracting(CatalogOfferView::backend).containsOnly("local");
      assertThat(catalogCheck(server).sentence())
          .isEqualTo("none is imported, and the default catalog is off");
    }
    Files.writeString(home.resolve("server.yml"), "catalog: {url: '" + address + "'}\n");
    try (RunningServer server = start("")) {
      assertThat(catalogCheck(server).sentence()).contains("is fetched when offers are looked up");
      assertThat(untilFetched(server).offers()).hasSize(4);
      assertThat(catalogCheck(server).sentence()).endsWith("fetched just now");
    }
  }

  private static Check catalogCheck(RunningServer server) {
    return server.client().doctor().checks().stream()
        .filter(check -> check.part().equals("catalog"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aVariableThatMeansNothingKeepsTheServerFromStarting() {
    assertThatThrownBy(() -> start("on"))
        .isInstanceOf(ServerFile.Invalid.class)
        .hasMessageContaining("BERTH_CATALOG: expected off, or an address");
  }
}
