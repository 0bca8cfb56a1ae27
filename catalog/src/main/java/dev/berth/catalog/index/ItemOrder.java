package dev.berth.catalog.index;

import dev.berth.model.offers.CatalogItem;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The order in which offers are shown: cheapest first, and where prices are equal, by everything
 * else that tells two offers apart. Only equal items are equal in it, so it does not depend on the
 * order in which a source wrote them.
 */
public final class ItemOrder implements Comparator<CatalogItem> {
  public static final ItemOrder CHEAPEST_FIRST = new ItemOrder();

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
    return order == 0 ? Shape.REST.compare(left, right) : order;
  }

  private static int compareZones(@Nullable String left, @Nullable String right) {
    if (left == null || right == null) {
      return Boolean.compare(left != null, right != null);
    }
    return left.compareTo(right);
  }
}
