package dev.berth.catalog.gate;

import dev.berth.catalog.SnapshotContent;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Offers of a small cloud: two types in four regions, each on demand and on spot. */
public final class Samples {
  public static final String SOURCE = "cloud";
  public static final Instant NOON = Instant.parse("2026-08-22T12:00:00Z");
  private static final List<String> REGIONS = List.of("east", "north", "south", "west");

  private Samples() {}

  public static List<CatalogItem> cloud() {
    List<CatalogItem> items = new ArrayList<>();
    for (String region : REGIONS) {
      for (int count : List.of(1, 2, 4, 8)) {
        items.add(gpu("a100x" + count, region, false, 2.0 * count, "A100", count));
        items.add(gpu("a100x" + count, region, true, 1.5 * count, "A100", count));
      }
      items.add(cpu("small", region, false, 0.1));
      items.add(cpu("small", region, true, 0.04));
    }
    return List.copyOf(items);
  }

  public static CatalogItem gpu(
      String type, String region, boolean spot, double price, String name, int count) {
    return item(
        type,
        region,
        spot,
        price,
        new CatalogItem.Gpu(AcceleratorVendor.NVIDIA, name, count, 80 * 1024));
  }

  public static CatalogItem cpu(String type, String region, boolean spot, double price) {
    return item(type, region, spot, price, null);
  }

  public static CatalogItem priced(CatalogItem item, double price) {
    return new CatalogItem(
        item.provider(),
        item.instanceType(),
        item.region(),
        item.zone(),
        price,
        item.cpus(),
        item.arch(),
        item.memoryMib(),
        item.gpu(),
        item.diskMib(),
        item.spot(),
        item.flags(),
        item.providerData(),
        item.repairs());
  }

  public static List<CatalogItem> each(List<CatalogItem> items, UnaryOperator<CatalogItem> change) {
    return items.stream().map(change).toList();
  }

  public static List<CatalogItem> plus(List<CatalogItem> items, CatalogItem... more) {
    List<CatalogItem> all = new ArrayList<>(items);
    all.addAll(List.of(more));
    return all;
  }

  public static OfferSource.Fetched fetched(List<CatalogItem> items) {
    return new OfferSource.Fetched(null, NOON, items, List.of());
  }

  public static SnapshotContent snapshot(List<CatalogItem> items) {
    return Cleaning.clean(SOURCE, fetched(items));
  }

  private static CatalogItem item(
      String type, String region, boolean spot, double price, CatalogItem.@Nullable Gpu gpu) {
    return new CatalogItem(
        SOURCE,
        type,
        region,
        null,
        price,
        4,
        CpuArchitecture.X86,
        16 * 1024,
        gpu,
        null,
        spot,
        List.of(),
        CatalogItem.NO_PROVIDER_DATA,
        List.of());
  }
}
