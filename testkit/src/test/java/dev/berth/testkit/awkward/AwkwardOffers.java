package dev.berth.testkit.awkward;

import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the awkward cloud sells: every type in every region. */
record AwkwardOffers(AwkwardClient client, InstantSource clock) implements OfferSource {
  private static final long MIB_PER_GB = 1024;

  @Override
  public String name() {
    return AwkwardBackendType.NAME;
  }

  @Override
  public Kind kind() {
    return Kind.ONLINE;
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    List<CatalogItem> items = new ArrayList<>();
    String page = "1";
    do {
      JsonNode answer = client.get("/v1/types?page=" + page);
      for (JsonNode region : answer.path("regions")) {
        answer.path("types").forEach(type -> items.add(item(type, region.asString())));
      }
      page = answer.path("next_page").asString("");
    } while (!page.isEmpty());
    return new Fetched(null, clock.instant(), items, List.of());
  }

  private static CatalogItem item(JsonNode type, String region) {
    return new CatalogItem(
        AwkwardBackendType.NAME,
        type.path("name").asString(),
        region,
        null,
        type.path("hourly").asDouble(),
        type.path("cpus").asInt(),
        CpuArchitecture.X86,
        type.path("memoryGb").asLong() * MIB_PER_GB,
        null,
        null,
        false,
        List.of(),
        CatalogItem.NO_PROVIDER_DATA,
        List.of());
  }
}
