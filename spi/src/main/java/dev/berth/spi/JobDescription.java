package dev.berth.spi;

import dev.berth.model.JobObservation;
import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job in detail.
 *
 * @param observation in our words
 * @param providerStatus in the provider's words
 * @param page where a person can look at it; null where there is no such page
 * @param interruptedAt when the provider will take the place back, if it said so
 */
public record JobDescription(
    JobObservation observation,
    String providerStatus,
    @Nullable URI page,
    @Nullable Instant interruptedAt) {}
