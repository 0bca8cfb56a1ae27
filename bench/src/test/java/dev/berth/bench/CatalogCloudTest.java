package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogCloudTest {
  private static final List<CatalogItem> ITEMS =
      List.of(
          item("small", "north", null, 0.1, false),
          item("small", "south", "south-1", 0.2, true),
          item("large", "south", "south-2", 2, false));

  @Test
  void everyOfferStandsInTheCatalogOfTheServer(@TempDir Path home) throws Exception {
    CatalogCloud.fill(home, ITEMS);
    assertThat(
            new CatalogFolder(home.resolve("catalog"), Clock.systemUTC())
                .store()
                .load()
                .catalog()
                .snapshot("sim")
                .orElseThrow()
                .offers())
        .isEqualTo(ITEMS.size());
    assertThat(Files.readString(home.resolve("scenario.yml"))).contains("small", "south-2");
  }

  @Test
  void theCloudSellsEveryOfferWhereItIs() {
    assertThat(CatalogCloud.scenario(ITEMS))
        .containsEntry(
            "regions",
            List.of(
                Map.of("name", "north", "zones", Set.of("north-a")),
                Map.of("name", "south", "zones", Set.of("south-1", "south-2"))))
        .extractingByKey("instance_types")
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .extracting("name")
        .containsExactly("large", "small");
  }

  private static CatalogItem item(
      String type, String region, @Nullable String zone, double price, boolean spot) {
    return new CatalogItem(
        "aws",
        type,
        region,
        zone,
        price,
        4,
        CpuArchitecture.X86,
        16_384,
        null,
        null,
        spot,
        List.of(),
        CatalogItem.NO_PROVIDER_DATA,
        List.of());
  }
}
