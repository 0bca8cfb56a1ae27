package dev.berth.hosts.access;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a tar stream of files, folders and links, with the extended headers that long names need.
 * Used by one thread.
 */
public final class TarReader {
  private static final int BLOCK = 512;

  /** Extended headers hold names; nothing honest comes near this. */
  private static final int LONGEST_HEADER = 64 * 1024;

  private final InputStream in;

  /** Bytes of the newest file that nobody has read. */
  private long left;

  /** Bytes that fill up its last block. */
  private int padding;

  public TarReader(InputStream in) {
    this.in = in;
  }

  /** The next item; empty at the end, when the stream has been read whole. */
  public Optional<TarEntry> next() throws IOException {
    in.skipNBytes(left + padding);
    left = 0;
    padding = 0;
    Map<String, String> extended = new HashMap<>();
    while (true) {
      byte[] header = block();
      if (isZero(header)) {
        // What follows are zeros, too; they are read so that the stream can check its end.
        in.transferTo(OutputStream.nullOutputStream());
        return Optional.empty();
      }
      requireChecksum(header);
      long size = number(header, 124, 12);
      char type = (char) header[156];
      if (type == 'x') {
        extended.putAll(records(size));
        continue;
      }
      return Optional.of(entry(header, type, size, extended));
    }
  }

  private TarEntry entry(byte[] header, char type, long size, Map<String, String> extended)
      throws IOException {
    TarEntry.Kind kind =
        switch (type) {
          case '0', '\0' -> TarEntry.Kind.FILE;
          case '5' -> TarEntry.Kind.FOLDER;
          case '2' -> TarEntry.Kind.LINK;
          default ->
              throw new IOException("the archive holds an item of the unknown type '" + type + "'");
        };
    String prefix = text(header, 345, 155);
    String name = (prefix.isEmpty() ? "" : prefix + "/") + text(header, 0, 100);
    long real =
        extended.containsKey("size") ? Long.parseLong(extended.getOrDefault("size", "")) : size;
    left = kind == TarEntry.Kind.FILE ? real : 0;
    padding = (int) ((BLOCK - left % BLOCK) % BLOCK);
    return new TarEntry(
        extended.getOrDefault("path", name),
        kind,
        (int) number(header, 100, 8) & 0777,
        left,
        Instant.ofEpochSecond(number(header, 136, 12)),
        extended.getOrDefault("linkpath", text(header, 157, 100)));
  }

  /** Copies the bytes of the newest file. */
  public void copyTo(OutputStream out) throws IOException {
    byte[] piece = new byte[64 * 1024];
    while (left > 0) {
      int count = in.read(piece, 0, (int) Math.min(piece.length, left));
      if (count < 0) {
        throw new EOFException("the archive ends inside of a file");
      }
      out.write(piece, 0, count);
      left -= count;
    }
  }

  private byte[] block() throws IOException {
    byte[] block = in.readNBytes(BLOCK);
    if (block.length < BLOCK) {
      throw new EOFException("the archive ends too early");
    }
    return block;
  }

  private Map<String, String> records(long size) throws IOException {
    if (size > LONGEST_HEADER) {
      throw new IOException("the archive has a header of " + size + " bytes");
    }
    byte[] bytes = in.readNBytes((int) size);
    in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    Map<String, String> records = new HashMap<>();
    int from = 0;
    while (from < bytes.length) {
      int space = from;
      while (space < bytes.length && bytes[space] != ' ') {
        space++;
      }
      int length = Integer.parseInt(new String(bytes, from, space - from, StandardCharsets.UTF_8));
      if (length <= space - from || from + length > bytes.length) {
        throw new IOException("the archive has a broken header");
      }
      String record =
          new String(bytes, space + 1, from + length - space - 2, StandardCharsets.UTF_8);
      int equals = record.indexOf('=');
      if (equals < 0) {
        throw new IOException("the archive has a broken header");
      }
      records.put(record.substring(0, equals), record.substring(equals + 1));
      from += length;
    }
    return records;
  }

  private static boolean isZero(byte[] block) {
    for (byte value : block) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  private static void requireChecksum(byte[] header) throws IOException {
    byte[] copy = header.clone();
    Arrays.fill(copy, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte value : copy) {
      sum += value & 0xff;
    }
    if (sum != number(header, 148, 8)) {
      throw new IOException("this is no tar archive, or a broken one");
    }
  }

  private static long number(byte[] header, int offset, int length) throws IOException {
    String digits = text(header, offset, length).strip();
    try {
      return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    } catch (NumberFormatException e) {
      throw new IOException("the archive has a broken header", e);
    }
  }

  private static String text(byte[] header, int offset, int length) {
    int end = offset;
    while (end < offset + length && header[end] != 0) {
      end++;
    }
    return new String(header, offset, end - offset, StandardCharsets.UTF_8);
  }
}
