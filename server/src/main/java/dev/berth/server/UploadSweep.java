package dev.berth.server;

import dev.berth.server.blobs.BlobName;
import dev.berth.server.blobs.BlobStore;
import dev.berth.server.blobs.StoredBlob;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Deletes uploads that nobody needs: what no active run names and nobody asked for during {@link
 * Uploads#DELETED_AFTER}, unfinished ones among them.
 */
final class UploadSweep implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(UploadSweep.class.getName());
  private static final Duration EVERY = Duration.ofHours(1);

  private final Uploads uploads;
  private final Supplier<Map<String, Set<String>>> needed;
  private final InstantSource clock;
  private final Thread thread =
      Thread.ofVirtual().name("berth-upload-sweep").unstarted(this::sweepAgainAndAgain);

  /**
   * Sweeps.
   *
   * @param needed the archives that active runs name, of every project that ever was
   */
  UploadSweep(Uploads uploads, Supplier<Map<String, Set<String>>> needed, InstantSource clock) {
    this.uploads = uploads;
    this.needed = needed;
    this.clock = clock;
  }

  void start() {
    thread.start();
  }

  private void sweepAgainAndAgain() {
    try {
      while (true) {
        Thread.sleep(EVERY);
        try {
          sweep();
        } catch (RuntimeException e) {
          LOG.log(System.Logger.Level.WARNING, "Old uploads could not be deleted", e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks at all uploads once, and says how many blobs are gone. */
  int sweep() {
    Instant before = clock.instant().minus(Uploads.DELETED_AFTER);
    int deleted = 0;
    for (Map.Entry<String, Set<String>> project : needed.get().entrySet()) {
      deleted += sweep(new UploadSpaces(project.getKey()), project.getValue(), before);
    }
    if (deleted > 0) {
      LOG.log(System.Logger.Level.INFO, "{0} pieces of old uploads were deleted", deleted);
    }
    return deleted;
  }

  private int sweep(UploadSpaces spaces, Set<String> inUse, Instant before) {
    BlobStore store = uploads.store();
    List<BlobName> kept = new ArrayList<>();
    List<BlobName> old = new ArrayList<>();
    store.list(
        spaces.archives(),
        blob ->
            (inUse.contains(blob.name().digest()) || !blob.keptAt().isBefore(before) ? kept : old)
                .add(blob.name()));
    Set<String> chunks = new HashSet<>();
    for (BlobName archive : kept) {
      chunks.addAll(UnnamedPieces.pieces(store, archive));
    }
    store.list(
        spaces.chunks(),
        blob -> {
          if (blob.keptAt().isBefore(before) && !chunks.contains(blob.name().digest())) {
            old.add(blob.name());
          }
        });
    int deleted = 0;
    for (BlobName name : old) {
      deleted += deleteIfStillOld(name, before) ? 1 : 0;
    }
    return deleted;
  }

  /** Somebody may have asked for it since it was listed. */
  private boolean deleteIfStillOld(BlobName name, Instant before) {
    uploads.deleting().writeLock().lock();
    try {
      StoredBlob now = uploads.store().find(name).orElse(null);
      if (now == null || !now.keptAt().isBefore(before)) {
        return false;
      }
      uploads.store().delete(name);
      return true;
    } finally {
      uploads.deleting().writeLock().unlock();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
