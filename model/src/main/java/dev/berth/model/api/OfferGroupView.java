package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * Offers that have something in common; what they were not grouped by is null.
 *
 * @param gpu the model; empty for machines without one
 * @param offers how many there are
 * @param price the least, in US dollars an hour
 * @param pricePerGpu the least; null where no offer of the group has one
 */
public record OfferGroupView(
    @Nullable String gpu,
    @Nullable String backend,
    @Nullable String region,
    @Nullable Integer count,
    long offers,
    double price,
    @Nullable Double pricePerGpu) {}
