package dev.berth.server;

import dev.berth.model.ArchiveManifest;
import dev.berth.model.Sha256;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.UploadChunk;
import dev.berth.model.api.UploadRequest;
import dev.berth.model.api.UploadView;
import dev.berth.model.config.FileMapping;
import dev.berth.model.config.RepoSpec;
import dev.berth.server.blobs.BlobException;
import dev.berth.server.blobs.BlobName;
import dev.berth.server.blobs.BlobStore;
import dev.berth.server.blobs.StoredBlob;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Takes uploads in: a client names the pieces of its archive, sends those that are missing, and
 * names them again. Whatever was cut off goes on with what is still missing.
 */
final class Uploads {
  /** How long what no active run needs stays, counted from when it was last sent or named. */
  static final Duration GRACE = Duration.ofHours(24);

  /**
   * How old something is before it is deleted. Other servers do not know what this one deletes, and
   * rely on what they have just found for less than the difference.
   */
  static final Duration DELETED_AFTER = GRACE.plusHours(6);

  /** How many times the largest upload may be there in pieces that nobody has named yet. */
  private static final int MOST_UNNAMED = 4;

  private final BlobStore store;
  private final UnnamedPieces unnamed;
  private final long largest;
  private final InstantSource clock;

  /** Shared by who relies on what is there, and held alone by who deletes. */
  private final ReentrantReadWriteLock deleting = new ReentrantReadWriteLock();

  /**
   * Takes them into a store.
   *
   * @param largest how many bytes an archive may have
   */
  Uploads(BlobStore store, long largest, InstantSource clock) {
    this.store = store;
    this.unnamed = new UnnamedPieces(store, MOST_UNNAMED * largest, clock);
    this.largest = largest;
    this.clock = clock;
  }

  BlobStore store() {
    return store;
  }

  ReentrantReadWriteLock deleting() {
    return deleting;
  }

  /** Says which pieces of an archive are missing, and keeps it where none is. */
  UploadView name(String project, UploadRequest request) {
    ArchiveManifest manifest = manifest(request);
    if (manifest.size() > largest) {
      throw new ApiException(
          413,
          "the upload has %,d bytes, and this server accepts up to %,d; exclude files with a"
                  .formatted(manifest.size(), largest)
              + " .berthignore file, or ask an admin to raise upload-limit in server.yml");
    }
    UploadSpaces spaces = new UploadSpaces(project);
    deleting.readLock().lock();
    try {
      Set<String> missing = new LinkedHashSet<>();
      for (ArchiveManifest.Chunk chunk : new LinkedHashSet<>(manifest.chunks())) {
        if (!isThere(spaces.chunk(chunk.digest()), chunk.size())) {
          missing.add(chunk.digest());
        }
      }
      if (missing.isEmpty()) {
        byte[] text = manifest.text().getBytes(StandardCharsets.US_ASCII);
        store.put(spaces.archive(manifest.digest()), new ByteArrayInputStream(text));
      }
      return new UploadView(
          manifest.digest(), manifest.size(), missing.isEmpty(), List.copyOf(missing));
    } finally {
      deleting.readLock().unlock();
    }
  }

  private static ArchiveManifest manifest(UploadRequest request) {
    List<ArchiveManifest.Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < request.chunks().size(); i++) {
      UploadChunk chunk = request.chunks().get(i);
      try {
        chunks.add(new ArchiveManifest.Chunk(chunk.digest(), chunk.size()));
      } catch (IllegalArgumentException e) {
        throw ApiException.ofField(
            400, "field", "chunks[" + i + "]", String.valueOf(e.getMessage()));
      }
    }
    try {
      return new ArchiveManifest(chunks);
    } catch (IllegalArgumentException e) {
      throw ApiException.ofField(422, "field", "chunks", String.valueOf(e.getMessage()));
    }
  }

  /** Whether a blob is there, and stays for a while. */
  private boolean isThere(BlobName name, long size) {
    Optional<StoredBlob> found = store.find(name);
    return found.isPresent()
        && found.get().size() == size
        && (!isOld(found.get()) || store.refresh(name));
  }

  /** What gets near to its end is made young when somebody asks for it. */
  private boolean isOld(StoredBlob blob) {
    Instant half = clock.instant().minus(GRACE.dividedBy(2));
    return blob.keptAt().isBefore(half);
  }

  /** Keeps one piece, while it comes. */
  UploadChunk put(String project, String digest, long declared, InputStream content) {
    if (!Sha256.isDigest(digest)) {
      throw new ApiException(400, "expected the SHA-256 of the chunk, 64 hexadecimal digits");
    }
    if (declared > ArchiveManifest.CHUNK_BYTES) {
      throw tooLarge();
    }
    unnamed.add(project, declared < 0 ? ArchiveManifest.CHUNK_BYTES : declared);
    Counted counted = new Counted(content);
    store.put(new UploadSpaces(project).chunk(digest), counted);
    return new UploadChunk(digest, counted.count);
  }

  private static ApiException tooLarge() {
    return new ApiException(
        413, "a chunk of an upload may have up to " + ArchiveManifest.CHUNK_BYTES + " bytes");
  }

  /** Why a run cannot get its files; makes those young that it will get. */
  List<FieldProblem> refusals(
      String project, List<FileMapping> files, List<RepoSpec> repositories) {
    List<FieldProblem> found = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      String archive = files.get(i).archive();
      if (archive == null) {
        found.add(
            new FieldProblem(
                "files[" + i + "]",
                "the file was not uploaded; berth apply does that, other clients send it to"
                    + " /projects/"
                    + project
                    + "/uploads and name it as 'archive'"));
      } else {
        requireKept(project, archive, "files[" + i + "].archive", found);
      }
    }
    for (RepoSpec repository : repositories) {
      if (repository.changes() != null) {
        requireKept(project, repository.changes(), "repos[0].changes", found);
      }
    }
    return found;
  }

  private void requireKept(String project, String archive, String field, List<FieldProblem> found) {
    if (!isKept(project, archive)) {
      found.add(
          new FieldProblem(
              field,
              "there is no such upload in the project '"
                  + project
                  + "', or it was deleted; upload it again"));
    }
  }

  private boolean isKept(String project, String archive) {
    UploadSpaces spaces = new UploadSpaces(project);
    BlobName name = spaces.archive(archive);
    deleting.readLock().lock();
    try {
      StoredBlob found = store.find(name).orElse(null);
      if (found == null || (isOld(found) && !store.refresh(name))) {
        return false;
      }
      // Always: another server may have deleted pieces that were old when the archive was not.
      return new UploadedArchives(store)
          .manifest(name).chunks().stream()
              .allMatch(chunk -> isThere(spaces.chunk(chunk.digest()), chunk.size()));
    } catch (BlobException e) {
      if (e.code() == BlobException.Code.GONE) {
        return false;
      }
      throw e;
    } finally {
      deleting.readLock().unlock();
    }
  }

  /** Counts what passes, and stops what is too much. Used by one thread. */
  private static final class Counted extends InputStream {
    private final InputStream in;
    private long count;

    Counted(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      int read = read(one, 0, 1);
      return read < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, length);
      count += Math.max(read, 0);
      if (count > ArchiveManifest.CHUNK_BYTES) {
        throw tooLarge();
      }
      return read;
    }
  }
}
