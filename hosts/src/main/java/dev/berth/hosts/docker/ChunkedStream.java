package dev.berth.hosts.docker;

import java.io.IOException;
import java.io.InputStream;

/** A body that comes in chunks, each with its length before it. */
final class ChunkedStream extends InputStream {
  private final InputStream in;
  private SizedStream chunk;
  private boolean ended;
  private boolean begun;

  ChunkedStream(InputStream in) {
    this.in = in;
    this.chunk = new SizedStream(in, 0);
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
    int count = chunk.read(target, offset, length);
    while (count < 0 && !ended) {
      nextChunk();
      count = chunk.read(target, offset, length);
    }
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
    long length;
    try {
      length = Long.parseLong(size, 16);
    } catch (NumberFormatException unreadable) {
      throw new IOException("the engine sent a chunk of the length '" + size + "'", unreadable);
    }
    chunk = new SizedStream(in, length);
    if (length == 0) {
      ended = true;
      String trailer;
      do {
        trailer = HttpHead.line(in);
      } while (!trailer.isEmpty());
    }
  }
}
