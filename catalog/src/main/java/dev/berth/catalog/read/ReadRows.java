package dev.berth.catalog.read;

import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource.Fetched;
import dev.berth.spi.OfferSource.RefusedRow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of a catalog, read.
 *
 * @param refused one for each row that is counted as refused
 */
public record ReadRows(List<CatalogItem> items, List<RefusedRow> refused, RowCount count) {
  public ReadRows {
    items = List.copyOf(items);
    refused = List.copyOf(refused);
  }

  public Fetched fetched(@Nullable String version, Instant collectedAt) {
    return new Fetched(version, collectedAt, items, refused);
  }
}
