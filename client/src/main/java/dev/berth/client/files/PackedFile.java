package dev.berth.client.files;

import dev.berth.model.ArchiveManifest;
import dev.berth.model.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A file or folder that was packed into a temporary file, so that what is sent is what was looked
 * at, also where files change meanwhile. Closing deletes it.
 */
public final class PackedFile implements AutoCloseable {
  private final Path path;
  private final ArchiveManifest manifest;

  private PackedFile(Path path, ArchiveManifest manifest) {
    this.path = path;
    this.manifest = manifest;
  }

  /**
   * Packs.
   *
   * @param folder where the temporary file is made
   * @throws PackingException where something cannot be read or packed
   */
  public static PackedFile of(Path source, Path folder) {
    return of(source, folder, tar -> FileTree.write(source, tar));
  }

  /** Packs what differs in a clone, for the commands that put it over the commit. */
  public static PackedFile of(GitClone clone, Path folder) {
    return of(clone.root(), folder, tar -> FileTree.writeChanges(clone, tar));
  }

  private interface Content {
    void write(TarWriter tar);
  }

  private static PackedFile of(Path source, Path folder, Content content) {
    try {
      Files.createDirectories(folder);
      Path path =
          Files.createTempFile(
              folder,
              "packed",
              ".tar",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      // Ctrl-C ends commands without asking them.
      path.toFile().deleteOnExit();
      boolean good = false;
      try (Chunking out = new Chunking(Files.newOutputStream(path))) {
        content.write(new TarWriter(out));
        PackedFile packed = new PackedFile(path, out.manifest());
        good = true;
        return packed;
      } finally {
        if (!good) {
          Files.deleteIfExists(path);
        }
      }
    } catch (IOException e) {
      throw new PackingException(source + " cannot be packed: " + e.getMessage(), e);
    }
  }

  public ArchiveManifest manifest() {
    return manifest;
  }

  /** The bytes of one chunk, by its place. */
  public byte[] chunk(int index) {
    byte[] bytes = new byte[(int) manifest.chunks().get(index).size()];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long start = (long) index * ArchiveManifest.CHUNK_BYTES;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      while (buffer.hasRemaining()) {
        if (channel.read(buffer, start + buffer.position()) < 0) {
          throw new IOException("it is shorter than it was");
        }
      }
      return bytes;
    } catch (IOException e) {
      throw new PackingException(path + " cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new PackingException(path + " cannot be deleted: " + e.getMessage(), e);
    }
  }

  /** Writes on, and digests chunk by chunk. Used by one thread. */
  private static final class Chunking extends OutputStream {
    private final OutputStream out;
    private final byte[] chunk = new byte[ArchiveManifest.CHUNK_BYTES];
    private final List<ArchiveManifest.Chunk> chunks = new ArrayList<>();
    private int filled;

    Chunking(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int from = offset;
      int left = length;
      while (left > 0) {
        int count = Math.min(left, chunk.length - filled);
        System.arraycopy(bytes, from, chunk, filled, count);
        filled += count;
        from += count;
        left -= count;
        if (filled == chunk.length) {
          passOn();
        }
      }
    }

    private void passOn() throws IOException {
      if (filled > 0) {
        out.write(chunk, 0, filled);
        chunks.add(new ArchiveManifest.Chunk(Sha256.of(chunk, 0, filled), filled));
        filled = 0;
      }
    }

    ArchiveManifest manifest() throws IOException {
      passOn();
      return new ArchiveManifest(chunks);
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
