package dev.berth.model.offers;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order in which offers are shown and tried: cheapest first, and where prices are equal, by
 * everything else that tells two offers apart. Only equal items are equal in it, so it does not
 * depend on the order in which a source wrote them.
 */
public final class ItemOrder implements Comparator<CatalogItem> {
  public static final ItemOrder CHEAPEST_FIRST = new ItemOrder();

  private static final Comparator<CatalogItem.Gpu> BY_GPU =
      Comparator.comparing(CatalogItem.Gpu::vendor)
          .thenComparing(CatalogItem.Gpu::name)
          .thenComparingInt(CatalogItem.Gpu::count)
          .thenComparingLong(CatalogItem.Gpu::memoryMib);
  private static final Comparator<List<String>> BY_WORDS =
      (left, right) -> Arrays.compare(left.toArray(new String[0]), right.toArray(new String[0]));

  /** What is left to tell two offers apart after their types, places and spot. */
  private static final Comparator<CatalogItem> REST =
      Comparator.comparingInt(CatalogItem::cpus)
          .thenComparing(CatalogItem::arch)
          .thenComparingLong(CatalogItem::memoryMib)
          .thenComparing(CatalogItem::gpu, Comparator.nullsFirst(BY_GPU))
          .thenComparing(CatalogItem::diskMib, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(CatalogItem::flags, BY_WORDS)
          .thenComparing(CatalogItem::providerData)
          .thenComparing(CatalogItem::repairs, BY_WORDS);

  private ItemOrder() {}

  @Override
  public int compare(CatalogItem left, CatalogItem right) {
    int order = Double.compare(left.price(), right.price());
    if (order == 0) {
      order = left.provider().compareTo(right.provider());
    }
    if (order == 0) {
      order = left.instanceType().compareTo(right.instanceType());
    }
    if (order == 0) {
      order = left.region().compareTo(right.region());
    }
    if (order == 0) {
      order = compareZones(left.zone(), right.zone());
    }
    if (order == 0) {
      order = Boolean.compare(left.spot(), right.spot());
    }
    return order == 0 ? REST.compare(left, right) : order;
  }

  private static int compareZones(@Nullable String left, @Nullable String right) {
    if (left == null || right == null) {
      return Boolean.compare(left != null, right != null);
    }
    return left.compareTo(right);
  }
}
