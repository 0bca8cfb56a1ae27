package dev.berth.catalog;

import dev.berth.model.offers.CatalogItem;

/** An item whose price is not believed, and why. */
public record SuspectItem(CatalogItem item, String reason) {}
