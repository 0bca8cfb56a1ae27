package dev.berth.server.blobs;

import dev.berth.model.Secret;
import org.jspecify.annotations.Nullable;

/**
 * Where a bucket is, and who asks.
 *
 * @param prefix what all keys begin with; empty for nothing
 * @param endpoint null for Amazon's own
 * @param accessKey null where the environment, or the machine, says who we are
 */
public record S3Settings(
    String bucket,
    String prefix,
    @Nullable String region,
    @Nullable String endpoint,
    boolean pathStyle,
    @Nullable String accessKey,
    @Nullable Secret secretKey) {}
