package dev.berth.hosts.docker;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The two streams of output that an engine sends over one connection: pieces with a head of eight
 * bytes, of which the first tells the stream and the last four the length.
 */
public final class LogFrames {
  private static final int HEAD = 8;
  private static final int LONGEST = 1 << 24;

  private final InputStream in;

  public LogFrames(InputStream in) {
    this.in = in;
  }

  /** A piece of one of the streams. */
  @SuppressWarnings("ArrayRecordComponent") // output is bytes; it is handed on, never compared
  public record Frame(boolean errors, byte[] bytes) {}

  /** The next piece; empty at the end. A piece that was cut off is an error. */
  public Optional<Frame> next() throws IOException {
    byte[] head = in.readNBytes(HEAD);
    if (head.length == 0) {
      return Optional.empty();
    }
    if (head.length < HEAD) {
      throw new EOFException("the engine hung up in the middle of output");
    }
    int length =
        (head[4] & 0xff) << 24 | (head[5] & 0xff) << 16 | (head[6] & 0xff) << 8 | (head[7] & 0xff);
    if (head[0] < 0 || head[0] > 3 || length < 0 || length > LONGEST) {
      throw new IOException("the engine's output has an unknown form");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the engine hung up in the middle of output");
    }
    return Optional.of(new Frame(head[0] == 2, bytes));
  }
}
