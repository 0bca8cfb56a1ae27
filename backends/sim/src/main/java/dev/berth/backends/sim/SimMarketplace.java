package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.InstanceType;
import dev.berth.backends.sim.scenario.Operation;
import dev.berth.backends.sim.scenario.Region;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.DiskChoice;
import dev.berth.spi.OfferSource;
import dev.berth.spi.QualifiedOffer;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the simulated cloud sells, and what of it the account can have. */
final class SimMarketplace implements OfferSource {
  private final SimCloud cloud;
  private final List<String> regions;
  private final Traits traits;

  /** As in the scenario, whose lists are long where it is that of a real provider. */
  private final Map<String, InstanceType> types;

  /**
   * The marketplace as one account sees it.
   *
   * @param regions those that the account uses; all where it is empty
   */
  SimMarketplace(SimCloud cloud, List<String> regions, Traits traits) {
    this.cloud = cloud;
    this.regions = List.copyOf(regions);
    this.traits = traits;
    this.types =
        cloud.scenario().instanceTypes().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    InstanceType::name, Function.identity(), (first, _) -> first));
  }

  @Override
  public String name() {
    return SimBackendType.NAME;
  }

  @Override
  public Kind kind() {
    return Kind.ONLINE;
  }

  @Override
  public Fetched fetch(OfferFilter filter, boolean balance) {
    return cloud.call(
        Operation.OFFERS,
        "",
        turn -> new Fetched(null, turn.now().plus(cloud.skew()), items(turn), List.of()),
        fetched -> fetched.items().size() + " offers");
  }

  private List<CatalogItem> items(Turn turn) {
    List<CatalogItem> items = new ArrayList<>();
    for (Region region : cloud.scenario().regions()) {
      for (String zone : region.zones()) {
        for (InstanceType type : cloud.scenario().instanceTypes()) {
          items.add(item(type, region.name(), zone, false, type.price()));
          if (type.spotPrice() != null && traits.has(Trait.SPOT)) {
            double price = turn.spot().price(type, turn.world().age(turn.now()));
            items.add(item(type, region.name(), zone, true, price));
          }
        }
      }
    }
    return items;
  }

  private static CatalogItem item(
      InstanceType type, String region, String zone, boolean spot, double price) {
    InstanceType.Gpu gpu = type.gpu();
    return new CatalogItem(
        SimBackendType.NAME,
        type.name(),
        region,
        zone,
        price,
        type.cpus(),
        type.arch(),
        type.memory().mib(),
        gpu == null ? null : gpu.item(),
        type.maxDisk() == null ? type.disk().mib() : null,
        spot,
        List.of(),
        CatalogItem.NO_PROVIDER_DATA,
        List.of());
  }

  /** The disks that machines of an offer can have, where they are chosen. */
  Optional<DiskChoice> disk(CatalogItem item) {
    InstanceType type = types.get(item.instanceType());
    return type == null || type.maxDisk() == null
        ? Optional.empty()
        : Optional.of(new DiskChoice(type.disk().mib(), type.maxDisk().mib(), type.diskPrice()));
  }

  List<QualifiedOffer> qualify(List<CatalogItem> items) {
    return cloud.call(
        Operation.QUALIFY,
        items.size() + " offers",
        turn -> items.stream().flatMap(item -> qualify(turn, item).stream()).toList(),
        qualified -> qualified.size() + " offers");
  }

  private Optional<QualifiedOffer> qualify(Turn turn, CatalogItem item) {
    Instant now = turn.now();
    Site wish = new Site(item.region(), item.zone(), item.instanceType(), item.spot(), null);
    Optional<Region> region = cloud.scenario().region(item.region());
    Optional<InstanceType> type = Optional.ofNullable(types.get(item.instanceType()));
    boolean never =
        region.isEmpty()
            || type.isEmpty()
            || !(regions.isEmpty() || regions.contains(item.region()))
            || (item.zone() != null && !region.get().zones().contains(item.zone()))
            || (item.spot() && (!traits.has(Trait.SPOT) || type.get().spotPrice() == null));
    return never
        ? Optional.empty()
        : Optional.of(
            new QualifiedOffer(
                item,
                turn.market().availability(wish, type.orElseThrow(), now),
                turn.market().zonesWithStock(wish, now)));
  }
}
