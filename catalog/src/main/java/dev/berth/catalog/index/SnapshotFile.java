package dev.berth.catalog.index;

import dev.berth.catalog.CatalogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The frame of a snapshot file: a mark, the format, a checksum over everything else, the length,
 * and where each part begins. A file is either whole and as it was written, or it is refused.
 */
final class SnapshotFile {
  static final int FORMAT = 1;
  static final int CHECKSUM_AT = 12;
  static final int LENGTH_AT = 16;
  static final int PARTS_AT = 24;
  private static final byte[] MARK = "BERTHCAT".getBytes(StandardCharsets.US_ASCII);
  private static final int ENTRY = 2 * Long.BYTES;
  private static final int HEADER = PARTS_AT + Section.values().length * ENTRY;

  private SnapshotFile() {}

  /**
   * Writes a file so that whoever looks for it finds all of it or none, also after a power cut. The
   * buffers are written from their beginning to their limit.
   */
  static void write(Path file, Map<Section, ByteBuffer> parts) throws IOException {
    Path folder = folderOf(file);
    ByteBuffer header = header(file, parts);
    Path temporary = Files.createTempFile(folder, "." + file.getFileName(), ".tmp");
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        writeAll(channel, header);
        for (Section section : Section.values()) {
          writeAll(channel, part(parts, section));
          writeAll(channel, ByteBuffer.allocate(padding(part(parts, section).limit())));
        }
        channel.force(true);
      }
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
    // The name is safe only when its folder is.
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  /** Maps a file and checks that it is what was written. */
  static Map<Section, ByteBuffer> open(Path file) {
    ByteBuffer bytes;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size < HEADER || size > Integer.MAX_VALUE) {
        throw notOurs(file);
      }
      bytes = channel.map(MapMode.READ_ONLY, 0, size).order(ByteOrder.LITTLE_ENDIAN);
    } catch (IOException e) {
      throw new CatalogException("The snapshot " + file + " cannot be read: " + e, e);
    }
    check(file, bytes);
    Map<Section, ByteBuffer> parts = new EnumMap<>(Section.class);
    int entry = PARTS_AT;
    for (Section section : Section.values()) {
      long start = bytes.getLong(entry);
      long length = bytes.getLong(entry + Long.BYTES);
      if (start < HEADER
          || length < 0
          || length > bytes.limit()
          || start > bytes.limit() - length) {
        throw damaged(file, "its part " + section + " lies outside of it");
      }
      parts.put(section, bytes.slice((int) start, (int) length).order(ByteOrder.LITTLE_ENDIAN));
      entry += ENTRY;
    }
    return parts;
  }

  static CatalogException damaged(Path file, String why) {
    return new CatalogException(
        "The snapshot " + file + " is damaged: " + why + ". Collect or import its source again.");
  }

  private static void check(Path file, ByteBuffer bytes) {
    byte[] mark = new byte[MARK.length];
    bytes.get(0, mark);
    if (!Arrays.equals(mark, MARK)) {
      throw notOurs(file);
    }
    int format = bytes.getInt(MARK.length);
    if (format > FORMAT) {
      throw new CatalogException(
          "The snapshot "
              + file
              + " has format "
              + format
              + ", which is newer than this program; it reads up to "
              + FORMAT
              + ". Update the program, or collect the source again.");
    }
    if (format != FORMAT) {
      throw damaged(file, "there is no format " + format);
    }
    long length = bytes.getLong(LENGTH_AT);
    if (length != bytes.limit()) {
      throw damaged(file, "it has " + bytes.limit() + " bytes where it should have " + length);
    }
    if (bytes.getInt(CHECKSUM_AT) != checksum(bytes)) {
      throw damaged(file, "its checksum is wrong");
    }
  }

  private static CatalogException notOurs(Path file) {
    return new CatalogException(
        "The file " + file + " is not a snapshot of offers, or it is cut off at its start.");
  }

  private static ByteBuffer header(Path file, Map<Section, ByteBuffer> parts) {
    ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MARK).putInt(FORMAT).position(PARTS_AT);
    long end = HEADER;
    for (Section section : Section.values()) {
      int length = part(parts, section).limit();
      header.putLong(end).putLong(length);
      end += length + padding(length);
    }
    if (end > Integer.MAX_VALUE) {
      throw new CatalogException(
          "The snapshot " + file + " would be too large; give each provider a source of its own.");
    }
    header.putLong(LENGTH_AT, end);
    CRC32C sum = new CRC32C();
    addHeader(sum, header);
    for (Section section : Section.values()) {
      sum.update(part(parts, section).duplicate().rewind());
      sum.update(ByteBuffer.allocate(padding(part(parts, section).limit())));
    }
    return header.putInt(CHECKSUM_AT, (int) sum.getValue()).rewind();
  }

  /** The checksum of a whole file: of every byte but its own four. */
  static int checksum(ByteBuffer bytes) {
    CRC32C sum = new CRC32C();
    addHeader(sum, bytes);
    sum.update(bytes.slice(HEADER, bytes.limit() - HEADER));
    return (int) sum.getValue();
  }

  private static void addHeader(CRC32C sum, ByteBuffer bytes) {
    sum.update(bytes.slice(0, CHECKSUM_AT));
    sum.update(bytes.slice(LENGTH_AT, HEADER - LENGTH_AT));
  }

  private static ByteBuffer part(Map<Section, ByteBuffer> parts, Section section) {
    ByteBuffer part = parts.get(section);
    if (part == null) {
      throw new IllegalArgumentException("a snapshot has a part " + section);
    }
    return part;
  }

  private static int padding(int length) {
    return -length & Long.BYTES - 1;
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    ByteBuffer rest = bytes.duplicate().rewind();
    while (rest.hasRemaining()) {
      channel.write(rest);
    }
  }

  private static Path folderOf(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IllegalArgumentException(file + " is not a file");
    }
    return folder;
  }
}
