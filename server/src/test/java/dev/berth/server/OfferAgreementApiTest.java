package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.OfferAnswers;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.grammar.ConfigurationFile;
import dev.berth.grammar.ConfigurationReader;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.CatalogOfferView;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.api.OfferView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** {@code offer} and {@code plan} name the same offers in the same order. */
@Timeout(600)
class OfferAgreementApiTest {
  private static final int REQUIREMENTS = 1_000;
  private static final int SHOWN = OfferViews.MOST_IN_PLAN;
  private static final List<String> REGIONS = List.of("north", "south", "west");

  @TempDir Path home = Path.of("");

  private final Random random = new Random(11);

  /** One line of both. */
  private record Line(
      String backend, String where, String type, double price, boolean spot, String available) {}

  /** An instance type of the simulated cloud. */
  private record Type(String name, int cpus, int memoryGb, int gpus, double price) {
    Map<String, Object> scenario() {
      Map<String, Object> type = new LinkedHashMap<>();
      type.put("name", name);
      type.put("cpus", cpus);
      type.put("memory", memoryGb + "GB");
      type.put("price", price);
      type.put("spot_price", price / 2);
      if (gpus > 0) {
        type.put("gpu", Map.of("name", "A100", "count", gpus, "memory", "80GB"));
      }
      return type;
    }

    CatalogItem item(String provider, String region, boolean spot) {
      return new CatalogItem(
          provider,
          name,
          region,
          null,
          spot ? price / 2 : price,
          cpus,
          CpuArchitecture.X86,
          memoryGb * 1024L,
          gpus == 0 ? null : new CatalogItem.Gpu(AcceleratorVendor.NVIDIA, "A100", gpus, 81_920),
          102_400L,
          spot,
          List.of(),
          CatalogItem.NO_PROVIDER_DATA,
          List.of());
    }
  }

  private List<Type> types() {
    List<Type> types = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      int gpus = i % 2 == 0 ? 0 : 1 << random.nextInt(4);
      types.add(
          new Type(
              "t" + i,
              1 << (1 + random.nextInt(6)),
              4 << random.nextInt(6),
              gpus,
              // Many cost the same, so that the order of those matters.
              (1 + random.nextInt(12)) / 4.0));
    }
    return types;
  }

  private static void write(Path home, List<Type> types) {
    CatalogFolder store = new CatalogFolder(home.resolve("catalog"), InstantSource.system());
    for (String provider : List.of("sim", "elsewhere")) {
      List<CatalogItem> items = new ArrayList<>();
      for (Type type : types) {
        for (String region : REGIONS) {
          items.add(type.item(provider, region, false));
          items.add(type.item(provider, region, true));
        }
      }
      store.put(OfferAnswers.content(provider, InstantSource.system().instant(), items));
    }
  }

  private static BackendRequest backend(String name, String offers, List<Type> types) {
    return new BackendRequest(
        name,
        "sim",
        Map.of(
            "state",
            "memory",
            "offers",
            offers,
            "scenario",
            Map.of(
                "regions",
                REGIONS.stream()
                    .map(
                        region ->
                            Map.of("name", region, "zones", List.of(region + "-a", region + "-b")))
                    .toList(),
                "instance_types",
                types.stream().map(Type::scenario).toList(),
                "stock",
                List.of(Map.of("instance_type", "t3", "count", 0)))));
  }

  @Test
  void offerAndPlanNameTheSameOffersInTheSameOrder() throws IOException {
    List<Type> types = types();
    write(home, types);
    try (RunningServer server = new RunningServer(home)) {
      server.client().addBackend(RunningServer.PROJECT, backend("asked", "live", types));
      server.client().addBackend(RunningServer.PROJECT, backend("listed", "catalog", types));
      int found = 0;
      int full = 0;
      for (int i = 0; i < REQUIREMENTS; i++) {
        Question question = question();
        OfferList offers = server.client().offers(RunningServer.PROJECT, question.offers());
        List<Line> planned =
            server.client().plan(RunningServer.PROJECT, question.task()).offers().stream()
                .map(OfferAgreementApiTest::line)
                .toList();
        List<Line> offered =
            offers.offers().stream()
                .map(OfferAgreementApiTest::line)
                .filter(line -> !line.available().equals(CatalogService.NOT_CONFIGURED))
                .limit(SHOWN)
                .toList();
        assertThat(offers.warnings()).isEmpty();
        assertThat(offered).as("%s", question).isEqualTo(planned);
        found += planned.isEmpty() ? 0 : 1;
        full += planned.size() == SHOWN ? 1 : 0;
      }
      assertThat(found).as("requirements that find something").isGreaterThan(REQUIREMENTS / 3);
      assertThat(full).as("those that find more than a plan shows").isPositive();
    }
  }

  private static Line line(CatalogOfferView offer) {
    return new Line(
        offer.source(),
        Objects.requireNonNullElse(offer.zone(), offer.region()),
        offer.instanceType(),
        offer.price(),
        offer.spot(),
        offer.availability());
  }

  private static Line line(OfferView offer) {
    return new Line(
        offer.backend(),
        offer.region(),
        offer.instanceType(),
        offer.price(),
        offer.spot(),
        offer.availability());
  }

  /** The same in the words of both. */
  private record Question(
      @Nullable String gpu,
      String cpu,
      String memory,
      String disk,
      @Nullable Boolean spot,
      @Nullable Double maxPrice,
      List<String> regions,
      List<String> types) {
    OfferRequest offers() {
      return new OfferRequest(
          gpu,
          cpu,
          memory,
          disk,
          spot,
          maxPrice,
          List.of("sim"),
          regions,
          List.of(),
          types,
          false,
          null,
          List.of());
    }

    RunRequest task() {
      Map<String, @Nullable Object> resources = new LinkedHashMap<>();
      resources.put("cpu", cpu);
      resources.put("memory", memory);
      resources.put("disk", disk);
      if (gpu != null) {
        resources.put("gpu", gpu);
      }
      Map<String, @Nullable Object> task =
          new LinkedHashMap<>(RunningServer.task("compared", "true").configuration());
      task.put("backends", List.of("asked", "listed"));
      task.put("resources", resources);
      task.put("spot_policy", spot == null ? "auto" : spot ? "spot" : "on-demand");
      if (maxPrice != null) {
        task.put("max_price", maxPrice);
      }
      if (!regions.isEmpty()) {
        task.put("regions", regions);
      }
      if (!types.isEmpty()) {
        task.put("instance_types", types);
      }
      // As the command line sends what a file says.
      ConfigurationFile read =
          ConfigurationReader.read(
              JsonMapper.shared().writeValueAsBytes(task), ConfigurationReader.Defaults.AS_WRITTEN);
      assertThat(read.errors()).isEmpty();
      return new RunRequest(
          "compared", ConfigurationReader.normalise(read.configuration().orElseThrow()));
    }
  }

  private Question question() {
    return new Question(
        chance(50) ? "A100:" + (chance(50) ? "80GB:" : "") + (1 << random.nextInt(4)) + ".." : null,
        (1 << random.nextInt(5)) + "..",
        chance(50) ? (4 << random.nextInt(5)) + "GB.." : "0..",
        chance(20) ? "200GB.." : "10GB..",
        chance(50) ? null : chance(50),
        chance(40) ? (1 + random.nextInt(12)) / 4.0 : null,
        chance(30) ? List.of(REGIONS.get(random.nextInt(3)), "west-a") : List.of(),
        chance(20) ? List.of("t" + random.nextInt(30), "t" + random.nextInt(30)) : List.of());
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
