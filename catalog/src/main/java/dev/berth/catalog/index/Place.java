package dev.berth.catalog.index;

import dev.berth.model.offers.CatalogItem;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Where an offer is. The provider belongs to it because two of them may use one word. */
record Place(String provider, String region, @Nullable String zone) {
  static final Comparator<Place> ORDER =
      Comparator.comparing(Place::provider)
          .thenComparing(Place::region)
          .thenComparing(Place::zone, Comparator.nullsFirst(Comparator.naturalOrder()));

  static Place of(CatalogItem item) {
    return new Place(item.provider(), item.region(), item.zone());
  }
}
