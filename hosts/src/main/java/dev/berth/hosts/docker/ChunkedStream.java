package dev.berth.hosts.docker;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body that comes in chunks, each with its length before it. */
final class ChunkedStream extends InputStream {
  private final InputStream in;
  private long left;
  private boolean ended;
  private boolean begun;

  ChunkedStream(InputStream in) {
    this.in = in;
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
    if (left == 0 && !ended) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int count = in.read(target, offset, (int) Math.min(left, length));
    if (count < 0) {
      throw new EOFException("the engine hung up in the middle of an answer");
    }
    left -= count;
    return count;
  }

  private void nextChunk() throws IOException {
    if (begun) {
      HttpHead.line(in);
    }
    begun = true;
    String line = HttpHead.line(in);
    int semicolon = line.indexOf(';');
    String size = (semicolon < 0 ? line : line.substring(0, semicolon)).strip();
    try {
      left = Long.parseLong(size, 16);
    } catch (NumberFormatException unreadable) {
      throw new IOException("the engine sent a chunk of the length '" + size + "'", unreadable);
    }
    if (left == 0) {
      ended = true;
      String trailer;
      do {
        trailer = HttpHead.line(in);
      } while (!trailer.isEmpty());
    }
  }
}
