package dev.berth.testkit;

import dev.berth.spi.Archives;
import dev.berth.spi.BackendException;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** The files that the kit gives to jobs: one archive, and none else. */
public final class KitArchives implements Archives {
  /** The name of the archive that is there. */
  public static final String NAME = "kit/input";

  /** What the file in it holds. */
  public static final String TEXT = "given by the kit\n";

  private static final int BLOCK = 512;

  private final AtomicInteger readWhole = new AtomicInteger();

  /** How often the archive was read to its end. */
  public int readWhole() {
    return readWhole.get();
  }

  @Override
  public InputStream open(String name) {
    if (!name.equals(NAME)) {
      throw new BackendException.Permanent("there are no uploaded files called " + name, null);
    }
    return new FilterInputStream(new ByteArrayInputStream(tar())) {
      @Override
      public int read() throws IOException {
        return ended(super.read());
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return ended(super.read(bytes, offset, length));
      }

      private int ended(int result) {
        if (result < 0) {
          readWhole.incrementAndGet();
        }
        return result;
      }
    };
  }

  /** A tar archive with one file. */
  private static byte[] tar() {
    byte[] text = TEXT.getBytes(StandardCharsets.US_ASCII);
    byte[] tar = new byte[4 * BLOCK];
    put(tar, 0, CONTENT);
    put(tar, 100, "0000644");
    put(tar, 108, "0000000");
    put(tar, 116, "0000000");
    put(tar, 124, "%011o".formatted(text.length));
    put(tar, 136, "%011o".formatted(0));
    tar[156] = '0';
    put(tar, 257, "ustar\u000000");
    Arrays.fill(tar, 148, 156, (byte) ' ');
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += tar[i] & 0xff;
    }
    put(tar, 148, "%06o\0".formatted(sum));
    put(tar, BLOCK, TEXT);
    return tar;
  }

  private static void put(byte[] tar, int offset, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, tar, offset, bytes.length);
  }
}
