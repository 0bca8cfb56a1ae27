package dev.berth.server.blobs;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that ends after so many bytes. Used by one thread. */
final class BoundedStream extends FilterInputStream {
  private long left;

  BoundedStream(InputStream in, long length) {
    super(in);
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    int value = left > 0 ? super.read() : -1;
    left -= value < 0 ? 0 : 1;
    return value;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (left <= 0) {
      return length == 0 ? 0 : -1;
    }
    int count = super.read(bytes, offset, (int) Math.min(length, left));
    left -= Math.max(count, 0);
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(Math.min(count, Math.max(left, 0)));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(super.available(), Math.max(left, 0));
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
