package dev.berth.testkit.awkward.containers;

import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.Compute;
import dev.berth.spi.Identity;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import dev.berth.spi.Reach;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** One account at the awkward cloud of containers, and what it sells. */
record AwkwardContainerCompute(
    AwkwardContainerClient client, InstantSource clock, AwkwardContainerRuntime jobs)
    implements Compute, OfferSource {
  /** How late lists may be. The cloud says three seconds; twice as much is on the safe side. */
  static final Duration VISIBLE_WITHIN = Duration.ofSeconds(6);

  @Override
  public Traits traits() {
    return AwkwardContainerType.TRAITS;
  }

  @Override
  public Identity identity() {
    return new Identity.UniqueName(VISIBLE_WITHIN);
  }

  @Override
  public Reach reach() {
    return Reach.ENGINE;
  }

  @Override
  public Offers offers() {
    return new Offers.Live(this);
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return Optional.of(jobs);
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public String name() {
    return AwkwardContainerType.NAME;
  }

  @Override
  public Kind kind() {
    return Kind.ONLINE;
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    JsonNode types = client.call("GET", "/v1/types", Map.of()).path("types");
    List<CatalogItem> items = types.valueStream().map(AwkwardContainerCompute::item).toList();
    return new Fetched(null, clock.instant(), items, List.of());
  }

  private static CatalogItem item(JsonNode type) {
    return new CatalogItem(
        AwkwardContainerType.NAME,
        type.path("name").asString(),
        "anywhere",
        null,
        type.path("hourly").asDouble(),
        type.path("cpus").asInt(),
        CpuArchitecture.X86,
        type.path("memoryGb").asLong() * 1024,
        null,
        null,
        false,
        List.of(),
        CatalogItem.NO_PROVIDER_DATA,
        List.of());
  }
}
