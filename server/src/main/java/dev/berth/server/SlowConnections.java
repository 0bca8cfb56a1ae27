package dev.berth.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Hangs up on clients that take too long to send the head of a request. Jetty closes a connection
 * on which nothing happens; one byte now and then would keep it open for ever. Requests that have
 * their head are not looked at: streams and long polls last as long as they like.
 */
final class SlowConnections extends AbstractLifeCycle implements Connection.Listener {
  private static final System.Logger LOG = System.getLogger(SlowConnections.class.getName());

  private final Server server;
  private final Duration longest;

  /** All that are open, with what they were seen at. The values are for the thread. */
  private final Map<HttpConnection, Waiting> open = new ConcurrentHashMap<>();

  private @Nullable Thread thread;

  /**
   * When a head was first seen incomplete.
   *
   * @param messages how many requests came before it; less than none before the first look
   */
  private record Waiting(long messages, long since) {
    static final Waiting UNSEEN = new Waiting(-1, 0);
  }

  /**
   * Watches the connections of a server, of which it is a bean.
   *
   * @param longest how long the head of a request may take
   */
  SlowConnections(Server server, Duration longest) {
    this.server = server;
    this.longest = longest;
  }

  @Override
  protected void doStart() {
    for (Connector connector : server.getConnectors()) {
      connector.addEventListener(this);
    }
    thread = Thread.ofVirtual().name("berth-slow-connections").start(this::look);
  }

  @Override
  protected void doStop() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof HttpConnection http) {
      open.put(http, Waiting.UNSEEN);
    }
  }

  @Override
  public void onClosed(Connection connection) {
    if (connection instanceof HttpConnection http) {
      open.remove(http);
    }
  }

  private void look() {
    try {
      while (true) {
        Thread.sleep(longest.dividedBy(4));
        hangUp(System.nanoTime());
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "Connections are not watched any more");
    }
  }

  private void hangUp(long now) {
    int closed = 0;
    String example = "";
    for (Map.Entry<HttpConnection, Waiting> one : open.entrySet()) {
      HttpConnection connection = one.getKey();
      long messages = connection.getMessagesIn();
      if (!isWaitedFor(connection)) {
        one.setValue(Waiting.UNSEEN);
      } else if (one.getValue().messages() != messages) {
        one.setValue(new Waiting(messages, now));
      } else if (now - one.getValue().since() >= longest.toNanos()) {
        closed++;
        example = String.valueOf(connection.getEndPoint().getRemoteSocketAddress());
        connection.getEndPoint().close();
      }
    }
    if (closed > 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Closed {0} connections whose request did not arrive within {1} seconds, such as that of"
              + " {2}",
          closed,
          longest.toSeconds(),
          example);
    }
  }

  /** Whether the head of a request has begun, or is the first one; others may rest in between. */
  private static boolean isWaitedFor(HttpConnection connection) {
    return connection.getParser().inHeaderState()
        && (!connection.getParser().isStart() || connection.getMessagesIn() == 0);
  }
}
