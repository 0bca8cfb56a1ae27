package dev.berth.hosts.access.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes files of a folder that a job may write to as well, and may fill with anything at
 * any moment: links to files that only we may read, pipes on which a reader waits for ever,
 * devices, folders. Only plain files are there for us; whatever else has the name of one is absent,
 * and makes way where we have to write. Nothing is ever reached through a link.
 *
 * @param aside a folder of the same disk that jobs do not see; null where no job writes that is not
 *     our own user
 */
record PlainFiles(@Nullable Path aside) {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** What is known of a plain file; empty where there is none. */
  static Optional<BasicFileAttributes> find(Path file) throws IOException {
    // Most observations find no exit file, and one look without an exception is the cheapest.
    return Optional.ofNullable(
            file.getFileSystem()
                .provider()
                .readAttributesIfExists(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS))
        .filter(BasicFileAttributes::isRegularFile);
  }

  /**
   * Bytes of a plain file from an offset on, fewer than {@code most} only at its end; empty where
   * there is none.
   */
  Optional<byte[]> read(Path file, long offset, int most) throws IOException {
    try (FileChannel channel = open(file).orElse(null)) {
      return channel == null ? Optional.empty() : Optional.of(read(channel, offset, most));
    }
  }

  private static byte[] read(FileChannel channel, long offset, int most) throws IOException {
    long available = Math.max(0, channel.size() - offset);
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(most, available));
    while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) >= 0) {
      // As long as there is more.
    }
    byte[] bytes = buffer.array();
    return buffer.hasRemaining() ? Arrays.copyOf(bytes, buffer.position()) : bytes;
  }

  /**
   * Opens a plain file for reading; empty where there is none. A job may put something else in its
   * place between a look and the opening, and to open a pipe or a device may be all it takes to do
   * harm. So the file gets a second name where the job cannot reach it, and is looked at there.
   */
  private Optional<FileChannel> open(Path file) throws IOException {
    if (find(file).isEmpty()) {
      return Optional.empty();
    }
    if (aside == null || file.startsWith(aside)) {
      return openAsIs(file);
    }
    Path pinned = aside.resolve("." + UUID.randomUUID());
    try {
      Files.createLink(pinned, file);
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (FileSystemException notOurs) {
      // Kernels let nobody but root give names to files of others.
      return openAsIs(file);
    }
    try {
      return find(pinned).isPresent() ? openAsIs(pinned) : Optional.empty();
    } finally {
      Files.deleteIfExists(pinned);
    }
  }

  private static Optional<FileChannel> openAsIs(Path file) throws IOException {
    try {
      return Optional.of(
          FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (FileSystemException failure) {
      if (find(file).isEmpty()) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /** Replaces a file as a whole: a reader sees the old or the new content. */
  void replace(Path file, String content, Set<PosixFilePermission> mode) throws IOException {
    Path fresh = write(file, content);
    try {
      Files.setPosixFilePermissions(fresh, mode);
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        putAway(file);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Creates a file with its content in one step; false when it is there already. */
  boolean createOnce(Path file, String content) throws IOException {
    Path fresh = write(file, content);
    try {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && find(file).isEmpty()) {
        putAway(file);
      }
      Files.createLink(file, fresh);
      return true;
    } catch (FileAlreadyExistsException taken) {
      return false;
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Deletes a file; silent where there is none. */
  static void delete(Path file) throws IOException {
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      putAway(file);
    } else {
      Files.deleteIfExists(file);
    }
  }

  private Path write(Path file, String content) throws IOException {
    Path folder = aside == null ? file.toAbsolutePath().getParent() : aside;
    Path fresh = Files.createTempFile(folder, ".", ".new", OWNER_ONLY);
    Files.writeString(fresh, content, StandardCharsets.UTF_8);
    return fresh;
  }

  /** Gives another name to what is in the way; it goes with its folder. */
  private static void putAway(Path obstacle) throws IOException {
    try {
      Files.move(
          obstacle,
          obstacle.resolveSibling("." + UUID.randomUUID()),
          StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException gone) {
      // The job itself made way.
    }
  }
}
