package dev.berth.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 to a server on this machine, without encryption. The JDK's client takes longer to get
 * ready than most commands take as a whole.
 */
final class LoopbackTransport implements Transport {
  /** An idle connection is not used for longer than any server keeps one. */
  private static final long REUSE_WITHIN = Duration.ofSeconds(3).toNanos();

  private final String host;
  private final int port;
  private final Deque<LoopbackConnection> idle = new ConcurrentLinkedDeque<>();
  private final Set<LoopbackConnection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  LoopbackTransport(String host, int port) {
    this.host = host;
    this.port = port;
  }

  @Override
  public Answer send(Request request) throws IOException {
    LoopbackConnection used = takeIdle();
    if (used == null) {
      return connect().exchange(request);
    }
    try {
      return used.exchange(request);
    } catch (LoopbackConnection.GoneException e) {
      // The server had hung up before it saw the request; what changes nothing is sent again.
      if (request.method().equals("GET")) {
        return connect().exchange(request);
      }
      throw e;
    }
  }

  private LoopbackConnection connect() throws IOException {
    LoopbackConnection connection = LoopbackConnection.open(host, port, this::release);
    open.add(connection);
    if (closed) {
      connection.close();
      throw new IOException("the client is closed");
    }
    return connection;
  }

  private @Nullable LoopbackConnection takeIdle() {
    LoopbackConnection found = idle.pollFirst();
    while (found != null && System.nanoTime() - found.idleSince() > REUSE_WITHIN) {
      found.close();
      found = idle.pollFirst();
    }
    return found;
  }

  /** An exchange has ended, with a connection that can be used again or is closed. */
  private void release(LoopbackConnection connection) {
    if (connection.isOpen() && !closed) {
      idle.addFirst(connection);
    } else {
      open.remove(connection);
    }
  }

  @Override
  public void close() {
    closed = true;
    open.forEach(LoopbackConnection::close);
    open.clear();
  }
}
