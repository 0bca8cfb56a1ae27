package dev.berth.bench;

import dev.berth.catalog.OfferAnswers;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.client.BerthClient;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.offers.CatalogItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.json.JsonMapper;

/**
 * A simulated cloud that sells what stands in the catalog of a server, each offer where and as it
 * was published. It loses no time: what is measured is the server.
 */
final class CatalogCloud {
  static final String BACKEND = "catalogued";

  private static final String TYPE = "sim";
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Path scenario;

  private CatalogCloud(Path scenario) {
    this.scenario = scenario;
  }

  /** Puts all published offers into the catalog of a server that has not started yet. */
  static CatalogCloud fill(Path home, Path published) throws IOException {
    List<CatalogItem> items = new ArrayList<>();
    PublishedOffers.read(published, 1).values().forEach(items::addAll);
    return fill(home, items);
  }

  static CatalogCloud fill(Path home, List<CatalogItem> items) throws IOException {
    new CatalogFolder(home.resolve("catalog"), Clock.systemUTC())
        .store()
        .put(OfferAnswers.content(TYPE, Instant.EPOCH, items));
    // JSON is YAML, and there are as many types as a provider of this size has.
    return new CatalogCloud(
        Files.write(home.resolve("scenario.yml"), MAPPER.writeValueAsBytes(scenario(items))));
  }

  /** A cloud that has every type in every region. */
  static Map<String, Object> scenario(List<CatalogItem> items) {
    Map<String, TreeSet<String>> regions = new TreeMap<>();
    Map<String, Object> types = new TreeMap<>();
    for (CatalogItem item : items) {
      String zone = item.zone() == null ? item.region() + "-a" : item.zone();
      regions.computeIfAbsent(item.region(), _ -> new TreeSet<>()).add(zone);
      types.putIfAbsent(item.instanceType(), type(item));
    }
    return Map.of(
        "boot_time",
        "0s",
        "command_time",
        "0s",
        "regions",
        regions.entrySet().stream()
            .map(region -> Map.of("name", region.getKey(), "zones", region.getValue()))
            .toList(),
        "instance_types",
        List.copyOf(types.values()));
  }

  private static Map<String, Object> type(CatalogItem item) {
    return Map.of(
        "name",
        item.instanceType(),
        "cpus",
        Math.max(1, item.cpus()),
        "memory",
        Math.max(1, item.memoryMib()) + "MB",
        "price",
        item.price(),
        "spot_price",
        item.price());
  }

  /** Adds the cloud to the server as a backend. */
  void addTo(BerthClient client) {
    client.addBackend(
        TemporaryServer.PROJECT,
        new BackendRequest(
            BACKEND,
            TYPE,
            Map.of("state", "memory", "offers", "catalog", "scenario_file", scenario.toString())));
  }
}
