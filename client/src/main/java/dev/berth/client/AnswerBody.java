package dev.berth.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;

/** The body of an HTTP/1.1 answer, as its head announces it. Used by one thread at a time. */
final class AnswerBody extends InputStream {
  private static final int LONGEST_LINE = 64 * 1024;

  private enum Framing {
    LENGTH,
    CHUNKS,
    UNTIL_CLOSED
  }

  private final InputStream in;
  private final Framing framing;
  private long left;
  private boolean began;
  private boolean ended;

  private AnswerBody(InputStream in, Framing framing, long length) {
    this.in = in;
    this.framing = framing;
    this.left = length;
    this.ended = framing == Framing.LENGTH && length == 0;
  }

  static AnswerBody of(InputStream in, int status, Map<String, String> headers) throws IOException {
    String coding = headers.getOrDefault("Transfer-Encoding", "").toLowerCase(Locale.ROOT);
    String length = headers.get("Content-Length");
    if (status == 204 || status == 304) {
      return new AnswerBody(in, Framing.LENGTH, 0);
    } else if (coding.endsWith("chunked")) {
      return new AnswerBody(in, Framing.CHUNKS, 0);
    } else if (length == null) {
      return new AnswerBody(in, Framing.UNTIL_CLOSED, Long.MAX_VALUE);
    } else if (length.matches("[0-9]{1,18}")) {
      return new AnswerBody(in, Framing.LENGTH, Long.parseLong(length));
    }
    throw new IOException("the answer's length is not a number");
  }

  /** Whether all of it was read, and the connection is where the next answer begins. */
  boolean isRead() {
    return ended && framing != Framing.UNTIL_CLOSED;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (framing == Framing.CHUNKS && left == 0 && !ended) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int count = in.read(bytes, offset, (int) Math.min(length, left));
    if (count < 0) {
      if (framing != Framing.UNTIL_CLOSED) {
        throw new EOFException("the server closed the connection");
      }
      ended = true;
      return -1;
    }
    left -= count;
    ended = left == 0 && framing == Framing.LENGTH;
    return count;
  }

  private void nextChunk() throws IOException {
    if (began && !line(in).isEmpty()) {
      throw new IOException("a chunk of the answer is longer than announced");
    }
    began = true;
    String size = line(in).replaceFirst(";.*", "").strip();
    if (!size.matches("[0-9a-fA-F]{1,15}")) {
      throw new IOException("the length of a chunk of the answer is not a number");
    }
    left = Long.parseLong(size, 16);
    ended = left == 0;
    String trailer = ended ? line(in) : "";
    while (!trailer.isEmpty()) {
      trailer = line(in);
    }
  }

  /** The next line, without its end. */
  static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (line.length() == LONGEST_LINE) {
        throw new IOException("a line of the answer is too long");
      }
      line.append((char) next);
    }
    int last = line.length() - 1;
    return last >= 0 && line.charAt(last) == '\r' ? line.substring(0, last) : line.toString();
  }
}
