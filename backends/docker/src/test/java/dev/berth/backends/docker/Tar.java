package dev.berth.backends.docker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A tar in memory. */
final class Tar {
  private static final int BLOCK = 512;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  void folder(String name, int mode) {
    header(name + "/", mode, 0, '5', "");
  }

  void link(String name, String target) {
    header(name, 0777, 0, '2', target);
  }

  void file(String name, byte[] content, int mode) {
    header(name, mode, content.length, '0', "");
    bytes.writeBytes(content);
    bytes.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
  }

  private void header(String name, int mode, int size, char kind, String link) {
    byte[] block = new byte[BLOCK];
    put(block, 0, name);
    put(block, 100, "%07o".formatted(mode));
    put(block, 108, "%07o".formatted(0));
    put(block, 116, "%07o".formatted(0));
    put(block, 124, "%011o".formatted(size));
    put(block, 136, "%011o".formatted(0));
    put(block, 148, " ".repeat(8));
    put(block, 156, String.valueOf(kind));
    put(block, 157, link);
    put(block, 257, "ustar");
    put(block, 263, "00");
    int sum = 0;
    for (byte one : block) {
      sum += one & 0xff;
    }
    put(block, 148, "%06o\0 ".formatted(sum));
    bytes.writeBytes(block);
  }

  private static void put(byte[] block, int offset, String text) {
    byte[] value = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(value, 0, block, offset, value.length);
  }

  /** All of it, with its end. */
  byte[] bytes() {
    bytes.writeBytes(new byte[2 * BLOCK]);
    return bytes.toByteArray();
  }

  ByteArrayInputStream stream() {
    return new ByteArrayInputStream(bytes());
  }
}
