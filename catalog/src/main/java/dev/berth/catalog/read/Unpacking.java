package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;

/** What comes out of an archive, stopped when it grows out of all proportion. */
final class Unpacking extends FilterInputStream {
  /** Below this a high ratio is that of a small and regular file. */
  private static final long HARMLESS_BYTES = 1 << 20;

  private final String name;
  private final long packedBytes;
  private final ReadLimits limits;
  private final CRC32 checksum = new CRC32();
  private long bytes;

  Unpacking(String name, InputStream in, long packedBytes, ReadLimits limits) {
    super(in);
    this.name = name;
    this.packedBytes = packedBytes;
    this.limits = limits;
  }

  /** Of all that was read so far, as zip files have it. */
  long checksum() {
    return checksum.getValue();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read = in.read(target, offset, length);
    if (read > 0) {
      checksum.update(target, offset, read);
      bytes += read;
      if (bytes > limits.fileBytes()) {
        throw new CatalogException(
            name + ": The file is larger than " + limits.fileBytes() + " bytes when unpacked.");
      }
      if (bytes > HARMLESS_BYTES && bytes / Math.max(1, packedBytes) > limits.packingRatio()) {
        throw new CatalogException(
            name
                + ": The archive grows more than "
                + limits.packingRatio()
                + " times when unpacked, so it is taken for an attack.");
      }
    }
    return read;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
