package dev.berth.catalog.defaults;

import dev.berth.catalog.collect.CatalogFolder;
import org.jspecify.annotations.Nullable;

/**
 * The catalog that offers are looked up in.
 *
 * @param note where it comes from and how old it is, or what is wrong; null for the user's own
 */
public record CatalogInUse(CatalogFolder folder, @Nullable String note) {}
