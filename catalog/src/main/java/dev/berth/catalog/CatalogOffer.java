package dev.berth.catalog;

import dev.berth.model.offers.CatalogItem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An item of the catalog, with where it comes from.
 *
 * @param collectedAt when the source said so
 * @param suspect why its price is not trusted; null where it is
 */
public record CatalogOffer(
    CatalogItem item, String source, Instant collectedAt, @Nullable String suspect) {}
