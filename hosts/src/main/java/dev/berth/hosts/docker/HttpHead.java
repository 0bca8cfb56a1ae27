package dev.berth.hosts.docker;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The first lines of an HTTP/1.1 answer. */
record HttpHead(int status, Map<String, String> headers) {
  private static final int LONGEST_LINE = 64 * 1024;

  static HttpHead read(InputStream in) throws IOException {
    String first = line(in);
    String[] words = first.split(" ", 3);
    if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[0-9]{3}")) {
      throw new IOException("this is no answer of an engine: " + first);
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    }
    return new HttpHead(Integer.parseInt(words[1]), headers);
  }

  /** A line without its end. */
  static String line(InputStream in) throws IOException {
    byte[] bytes = new byte[256];
    int length = 0;
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the engine hung up in the middle of an answer");
      }
      if (length == LONGEST_LINE) {
        throw new IOException("the engine sent a line without an end");
      }
      if (length == bytes.length) {
        bytes = java.util.Arrays.copyOf(bytes, length * 2);
      }
      bytes[length++] = (byte) next;
    }
    int end = length > 0 && bytes[length - 1] == '\r' ? length - 1 : length;
    return new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
  }

  /** What follows the head. An answer without a length goes on until the engine hangs up. */
  InputStream body(InputStream in, String method) throws IOException {
    if (method.equals("HEAD") || status == 204 || status == 304) {
      return InputStream.nullInputStream();
    }
    if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
      return new ChunkedStream(in);
    }
    String length = headers.get("content-length");
    if (length == null) {
      return in;
    }
    try {
      return new SizedStream(in, Long.parseLong(length));
    } catch (NumberFormatException unreadable) {
      throw new IOException("the engine sent the length '" + length + "'", unreadable);
    }
  }
}
