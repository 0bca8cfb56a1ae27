package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest offers that match, or the groups that they form.
 *
 * @param total how many match, whatever part of them is here
 * @param groups null where groups were not asked for
 * @param warnings what the answer lacks, such as a source that did not answer
 */
public record OfferList(
    long total,
    List<CatalogOfferView> offers,
    @Nullable List<OfferGroupView> groups,
    List<String> warnings) {}
