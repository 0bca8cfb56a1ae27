package dev.berth.server.blobs;

import java.time.Instant;

/**
 * A blob that is there.
 *
 * @param keptAt when it was put or refreshed last, by the store's clock
 */
public record StoredBlob(BlobName name, long size, Instant keptAt) {}
