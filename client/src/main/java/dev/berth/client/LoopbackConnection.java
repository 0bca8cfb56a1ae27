package dev.berth.client;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection, with one exchange at a time. It is a channel, so that an interrupt of the thread
 * that waits for an answer ends it.
 */
final class LoopbackConnection {
  private static final int CONNECT_WITHIN = (int) Duration.ofSeconds(5).toMillis();

  private final String host;
  private final SocketChannel channel;
  private final InputStream in;
  private final Consumer<LoopbackConnection> release;

  /** Written by the thread that ends an exchange, read by that which begins the next. */
  private volatile long idleSince;

  /** The server hung up without a word. */
  static final class GoneException extends IOException {
    private static final long serialVersionUID = 1L;

    GoneException(Throwable cause) {
      super("the server closed the connection", cause);
    }
  }

  private LoopbackConnection(
      String host, SocketChannel channel, Consumer<LoopbackConnection> release) throws IOException {
    this.host = host;
    this.channel = channel;
    this.in = new BufferedInputStream(channel.socket().getInputStream(), 16 * 1024);
    this.release = release;
  }

  /**
   * Connects.
   *
   * @param release is given the connection after each exchange
   */
  static LoopbackConnection open(String host, int port, Consumer<LoopbackConnection> release)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(new InetSocketAddress(host, port), CONNECT_WITHIN);
      channel.socket().setTcpNoDelay(true);
      return new LoopbackConnection(host + ":" + port, channel, release);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  long idleSince() {
    return idleSince;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing is left to write, and whoever reads gets an exception of its own.
      System.getLogger(LoopbackConnection.class.getName())
          .log(System.Logger.Level.DEBUG, "A connection could not be closed", e);
    }
  }

  /** Sends a request and reads the head of its answer. */
  Transport.Answer exchange(Transport.Request request) throws IOException {
    boolean answered = false;
    try {
      Duration within = request.answerWithin();
      channel.socket().setSoTimeout(within == null ? 0 : (int) within.toMillis());
      String line = begin(request);
      Map<String, String> headers = headers();
      while (status(line) < 200) {
        line = AnswerBody.line(in);
        headers = headers();
      }
      AnswerBody body = AnswerBody.of(in, status(line), headers);
      answered = true;
      return new Received(status(line), headers, body);
    } finally {
      if (!answered) {
        end();
      }
    }
  }

  /** Sends the request and returns the first line of the answer. */
  private String begin(Transport.Request request) throws IOException {
    ByteBuffer message = message(request);
    try {
      while (message.hasRemaining()) {
        channel.write(message);
      }
      return AnswerBody.line(in);
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // A channel that is closed was closed by us, or by an interrupt.
      throw channel.isOpen() ? new GoneException(e) : e;
    }
  }

  private ByteBuffer message(Transport.Request request) {
    StringBuilder head = new StringBuilder(256);
    head.append(request.method()).append(' ').append(request.target()).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(host).append("\r\n");
    request
        .headers()
        .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (request.body().length > 0 || !request.method().equals("GET")) {
      head.append("Content-Length: ").append(request.body().length).append("\r\n");
    }
    byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer message = ByteBuffer.allocate(bytes.length + request.body().length);
    return message.put(bytes).put(request.body()).flip();
  }

  private static int status(String line) throws IOException {
    if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      throw new IOException("what answers there does not speak HTTP");
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = AnswerBody.line(in); !line.isEmpty(); line = AnswerBody.line(in)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.putIfAbsent(line.substring(0, colon), line.substring(colon + 1).strip());
      }
    }
    return headers;
  }

  private void end() {
    close();
    release.accept(this);
  }

  private final class Received implements Transport.Answer {
    private final int status;
    private final Map<String, String> headers;
    private final AnswerBody body;
    private boolean closed;

    Received(int status, Map<String, String> headers, AnswerBody body) {
      this.status = status;
      this.headers = headers;
      this.body = body;
    }

    @Override
    public int status() {
      return status;
    }

    @Override
    public @Nullable String header(String name) {
      return headers.get(name);
    }

    @Override
    public InputStream body() {
      return body;
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      if (body.isRead() && !"close".equalsIgnoreCase(headers.get("Connection"))) {
        idleSince = System.nanoTime();
        release.accept(LoopbackConnection.this);
      } else {
        end();
      }
    }
  }
}
