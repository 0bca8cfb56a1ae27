package dev.berth.client.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes a tar archive that depends on nothing but what is put in: no owners, whole seconds, and
 * extended headers only where a name or size needs them. Used by one thread.
 */
final class TarWriter {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final long LARGEST_PLAIN = 1L << 33;

  private final OutputStream out;

  TarWriter(OutputStream out) {
    this.out = out;
  }

  void folder(String name, int mode, Instant modified) throws IOException {
    header(name + "/", '5', mode, 0, modified, "");
  }

  void link(String name, String to) throws IOException {
    header(name, '2', 0777, 0, Instant.EPOCH, to);
  }

  /**
   * Puts in a file.
   *
   * @throws IOException also where it has become shorter or longer than it was
   */
  void file(String name, int mode, long size, Instant modified, InputStream content)
      throws IOException {
    header(name, '0', mode, size, modified, "");
    byte[] piece = new byte[64 * 1024];
    long left = size;
    while (left > 0) {
      int count = content.read(piece, 0, (int) Math.min(piece.length, left));
      if (count < 0) {
        throw new IOException("it became shorter while it was packed");
      }
      out.write(piece, 0, count);
      left -= count;
    }
    if (content.read() >= 0) {
      throw new IOException("it became longer while it was packed");
    }
    pad(size);
  }

  /** Ends the archive; the stream stays open. */
  void finish() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.flush();
  }

  private void pad(long size) throws IOException {
    out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
  }

  private void header(String name, char type, int mode, long size, Instant modified, String link)
      throws IOException {
    Map<String, String> extended = new LinkedHashMap<>();
    if (bytes(name).length > NAME) {
      extended.put("path", name);
    }
    if (bytes(link).length > NAME) {
      extended.put("linkpath", link);
    }
    if (size >= LARGEST_PLAIN) {
      extended.put("size", Long.toString(size));
    }
    if (!extended.isEmpty()) {
      byte[] records = records(extended);
      block("berth/extended", 'x', 0644, records.length, Instant.EPOCH, "");
      out.write(records);
      pad(records.length);
    }
    block(name, type, mode, size >= LARGEST_PLAIN ? 0 : size, modified, link);
  }

  private void block(String name, char type, int mode, long size, Instant modified, String link)
      throws IOException {
    byte[] header = new byte[BLOCK];
    put(header, 0, NAME, bytes(name));
    put(header, 100, 8, octal(mode, 7));
    put(header, 108, 8, octal(0, 7));
    put(header, 116, 8, octal(0, 7));
    put(header, 124, 12, octal(size, 11));
    put(header, 136, 12, octal(Math.clamp(modified.getEpochSecond(), 0, LARGEST_PLAIN - 1), 11));
    header[156] = (byte) type;
    put(header, 157, NAME, bytes(link));
    put(header, 257, 8, bytes("ustar\u000000"));
    Arrays.fill(header, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte value : header) {
      sum += value & 0xff;
    }
    put(header, 148, 7, bytes("%06o\0".formatted(sum)));
    out.write(header);
  }

  /** The length at the start of each record counts its own digits. */
  private static byte[] records(Map<String, String> extended) {
    StringBuilder all = new StringBuilder();
    extended.forEach(
        (key, value) -> {
          String rest = " " + key + "=" + value + "\n";
          int bare = bytes(rest).length;
          int length = bare + Integer.toString(bare).length();
          length = bare + Integer.toString(length).length();
          all.append(length).append(rest);
        });
    return bytes(all.toString());
  }

  private static byte[] octal(long number, int digits) {
    return bytes(("%0" + digits + "o").formatted(number));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void put(byte[] header, int offset, int room, byte[] value) {
    System.arraycopy(value, 0, header, offset, Math.min(room, value.length));
  }
}
