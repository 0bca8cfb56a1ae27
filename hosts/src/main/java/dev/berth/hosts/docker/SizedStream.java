package dev.berth.hosts.docker;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** So many bytes of another stream. */
final class SizedStream extends InputStream {
  private final InputStream in;
  private long left;

  SizedStream(InputStream in, long length) {
    this.in = in;
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0) {
      return -1;
    }
    int count = in.read(target, offset, (int) Math.min(left, length));
    if (count < 0) {
      throw new EOFException("the engine hung up in the middle of an answer");
    }
    left -= count;
    return count;
  }
}
