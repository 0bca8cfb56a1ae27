package dev.berth.server;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** A stream that must come to its end in time, so that one byte now and then is not enough. */
final class TimedStream extends FilterInputStream {
  private final Duration longest;
  private final long begun = System.nanoTime();

  TimedStream(InputStream in, Duration longest) {
    super(in);
    this.longest = longest;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    if (read >= 0 && System.nanoTime() - begun > longest.toNanos()) {
      throw new IOException("the body did not arrive within " + longest.toSeconds() + " seconds");
    }
    return read;
  }
}
