package dev.berth.catalog;

import dev.berth.model.offers.CatalogItem;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one source at one time: what a snapshot file holds.
 *
 * @param version what the provider calls this state; null where it has no name
 */
public record SnapshotContent(
    String source,
    @Nullable String version,
    Instant collectedAt,
    Accounting accounting,
    List<CatalogItem> offers,
    List<SuspectItem> suspects) {
  public SnapshotContent {
    offers = List.copyOf(offers);
    suspects = List.copyOf(suspects);
  }
}
