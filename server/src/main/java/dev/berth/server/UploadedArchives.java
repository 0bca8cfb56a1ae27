package dev.berth.server;

import dev.berth.model.ArchiveManifest;
import dev.berth.model.Sha256;
import dev.berth.server.blobs.BlobException;
import dev.berth.server.blobs.BlobName;
import dev.berth.server.blobs.BlobStore;
import dev.berth.spi.Archives;
import dev.berth.spi.BackendException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gives backends the archives that users uploaded: one chunk after the other, each checked. */
final class UploadedArchives implements Archives {
  private final BlobStore store;

  UploadedArchives(BlobStore store) {
    this.store = store;
  }

  /** Opens an archive by the project and the digest, with a slash between them. */
  @Override
  public InputStream open(String name) {
    int slash = name.indexOf('/');
    if (slash < 1 || !Sha256.isDigest(name.substring(slash + 1))) {
      throw new BackendException.Permanent(
          "'" + name + "' is not a valid name for uploaded files", null);
    }
    UploadSpaces spaces = new UploadSpaces(name.substring(0, slash));
    List<ArchiveManifest.Chunk> chunks =
        translated(() -> manifest(spaces.archive(name.substring(slash + 1)))).chunks();
    return new Joined(spaces, chunks.iterator());
  }

  /** What an archive consists of. */
  ArchiveManifest manifest(BlobName name) {
    try (InputStream in = store.open(name, 0, BlobStore.LARGEST)) {
      byte[] bytes = in.readAllBytes();
      if (!Sha256.of(bytes).equals(name.digest())) {
        throw damaged(name, null);
      }
      return ArchiveManifest.parse(new String(bytes, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new BlobException(
          BlobException.Code.AWAY, "the list of an upload's pieces could not be read", e);
    } catch (IllegalArgumentException e) {
      throw damaged(name, e);
    }
  }

  private static BlobException damaged(BlobName name, @Nullable Throwable cause) {
    return new BlobException(
        BlobException.Code.WRONG_CONTENT,
        "the stored bytes of " + name + " are others than their name says",
        cause);
  }

  private static <T> T translated(Supplier<T> call) {
    try {
      return call.get();
    } catch (BlobException e) {
      throw e.code().retryable()
          ? new BackendException.Transient(
              "the files of the run cannot be read now: " + e.getMessage(), e)
          : new BackendException.Permanent(
              e.code() == BlobException.Code.GONE
                  ? "the files of the run were deleted; apply it again"
                  : "the files of the run cannot be read: " + e.getMessage(),
              e);
    }
  }

  /** All chunks as one stream. Used by one thread. */
  private final class Joined extends InputStream {
    private final UploadSpaces spaces;
    private final Iterator<ArchiveManifest.Chunk> rest;
    private @Nullable InputStream chunk;
    private BlobName name = new BlobName("none", Sha256.of(new byte[0]));
    private MessageDigest digest = Sha256.begin();

    Joined(UploadSpaces spaces, Iterator<ArchiveManifest.Chunk> rest) {
      this.spaces = spaces;
      this.rest = rest;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      int count = read(one, 0, 1);
      return count < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      return length == 0 ? 0 : translated(() -> next(bytes, offset, length));
    }

    private int next(byte[] bytes, int offset, int length) {
      try {
        while (true) {
          InputStream open = chunk;
          if (open == null) {
            if (!rest.hasNext()) {
              return -1;
            }
            ArchiveManifest.Chunk following = rest.next();
            name = spaces.chunk(following.digest());
            // One byte more than there should be shows a chunk that is too long.
            chunk = store.open(name, 0, following.size() + 1);
            digest = Sha256.begin();
            continue;
          }
          int count = open.read(bytes, offset, length);
          if (count >= 0) {
            digest.update(bytes, offset, count);
            return count;
          }
          if (!Sha256.end(digest).equals(name.digest())) {
            throw damaged(name, null);
          }
          close();
        }
      } catch (IOException e) {
        throw new BlobException(
            BlobException.Code.AWAY, "a piece of an upload could not be read", e);
      }
    }

    @Override
    public void close() throws IOException {
      InputStream open = chunk;
      chunk = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
