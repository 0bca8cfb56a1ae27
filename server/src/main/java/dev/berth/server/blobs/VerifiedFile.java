package dev.berth.server.blobs;

import dev.berth.model.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Bytes that came from elsewhere, in a temporary file, and are those that their name says. Closing
 * deletes the file, if it is still there.
 */
record VerifiedFile(Path path, long size) implements AutoCloseable {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final int PIECE = 64 * 1024;
  static final String PREFIX = ".part";

  /** One that nobody wrote to for so long was left by a server that was killed. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  /** Deletes what servers that were killed have left in a folder. */
  static void deleteAbandoned(Path folder, InstantSource clock) throws IOException {
    FileTime before = FileTime.from(clock.instant().minus(ABANDONED));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
      for (Path file : files) {
        try {
          if (Files.getLastModifiedTime(file).compareTo(before) < 0) {
            Files.deleteIfExists(file);
          }
        } catch (NoSuchFileException e) {
          // Another server that shares the folder was faster.
        }
      }
    }
  }

  /** Writes a stream into a file, down to the disk. */
  static VerifiedFile of(InputStream content, String digest, Path folder) {
    Path file;
    try {
      file = Files.createTempFile(folder, PREFIX, "", OWNER_ONLY);
    } catch (IOException e) {
      throw FileFailures.of("a file in " + folder + " cannot be made", e);
    }
    boolean good = false;
    try {
      VerifiedFile written = new VerifiedFile(file, write(content, digest, file));
      good = true;
      return written;
    } finally {
      if (!good) {
        delete(file);
      }
    }
  }

  private static long write(InputStream content, String expected, Path file) {
    MessageDigest digest = Sha256.begin();
    long size = 0;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      byte[] piece = new byte[PIECE];
      for (int count = read(content, piece); count >= 0; count = read(content, piece)) {
        size += count;
        if (size > BlobStore.LARGEST) {
          throw new BlobException(
              BlobException.Code.TOO_LARGE,
              "more than " + BlobStore.LARGEST + " bytes were sent as one piece",
              null);
        }
        digest.update(piece, 0, count);
        ByteBuffer buffer = ByteBuffer.wrap(piece, 0, count);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }
      String found = Sha256.end(digest);
      if (!found.equals(expected)) {
        throw new BlobException(
            BlobException.Code.WRONG_CONTENT,
            "the bytes that were sent are others than their name says: %d bytes with the digest %s"
                .formatted(size, found),
            null);
      }
      channel.force(true);
      return size;
    } catch (IOException e) {
      throw FileFailures.of("the file " + file + " cannot be written", e);
    }
  }

  /** What fails here is not our disk. */
  private static int read(InputStream content, byte[] piece) {
    try {
      return content.read(piece);
    } catch (IOException e) {
      throw new BlobException(
          BlobException.Code.CUT_OFF, "the bytes stopped coming: " + e.getMessage(), e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It is in nobody's way, and goes when the store is opened the next time.
      System.getLogger(VerifiedFile.class.getName())
          .log(System.Logger.Level.WARNING, "A temporary file is left: " + file, e);
    }
  }

  @Override
  public void close() {
    delete(path);
  }
}
