package dev.berth.server;

import dev.berth.model.ArchiveManifest;
import dev.berth.server.blobs.BlobException;
import dev.berth.server.blobs.BlobName;
import dev.berth.server.blobs.BlobStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts, by project, the bytes of pieces that belong to no upload: who never says what they are
 * for could otherwise fill the store. What other servers take in is seen some time later. Safe for
 * any thread.
 */
final class UnnamedPieces {
  /** So often what is there is looked at anew, at most. */
  private static final Duration FRESH = Duration.ofMinutes(1);

  private final BlobStore store;
  private final long most;
  private final InstantSource clock;

  /** Guarded by this. */
  private final Map<String, Counted> projects = new HashMap<>();

  private record Counted(long bytes, Instant at) {}

  UnnamedPieces(BlobStore store, long most, InstantSource clock) {
    this.store = store;
    this.most = most;
    this.clock = clock;
  }

  /**
   * Counts a piece that is about to come.
   *
   * @throws ApiException 413 where there are too many already
   */
  synchronized void add(String project, long bytes) {
    Instant now = clock.instant();
    Counted known = projects.get(project);
    boolean fresh =
        known != null && !now.isBefore(known.at()) && now.isBefore(known.at().plus(FRESH));
    Counted counted = known != null && fresh ? known : new Counted(count(project), now);
    if (counted.bytes() + bytes > most) {
      projects.put(project, counted);
      throw new ApiException(
          413,
          "the project '%s' has %,d bytes of chunks that belong to no upload; the limit is"
                  .formatted(project, counted.bytes())
              + " %,d; complete the uploads, or wait: such chunks are deleted after a day"
                  .formatted(most));
    }
    projects.put(project, new Counted(counted.bytes() + bytes, counted.at()));
  }

  private long count(String project) {
    UploadSpaces spaces = new UploadSpaces(project);
    List<BlobName> archives = new ArrayList<>();
    store.list(spaces.archives(), blob -> archives.add(blob.name()));
    Set<String> named = new HashSet<>();
    for (BlobName archive : archives) {
      named.addAll(pieces(store, archive));
    }
    AtomicLong bytes = new AtomicLong();
    store.list(
        spaces.chunks(),
        blob -> {
          if (!named.contains(blob.name().digest())) {
            bytes.addAndGet(blob.size());
          }
        });
    return bytes.get();
  }

  /** The digests of what an archive is made of; none where it is gone. */
  static Set<String> pieces(BlobStore store, BlobName archive) {
    Set<String> digests = new HashSet<>();
    try {
      new UploadedArchives(store)
          .manifest(archive).chunks().stream()
              .map(ArchiveManifest.Chunk::digest)
              .forEach(digests::add);
    } catch (BlobException e) {
      if (e.code() != BlobException.Code.GONE) {
        throw e;
      }
    }
    return digests;
  }
}
