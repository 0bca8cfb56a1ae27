package dev.berth.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A network between the ledger and PostgreSQL that fails when told. */
final class CuttingProxy implements AutoCloseable {
  /** What becomes of the next bytes. */
  enum Mode {
    PASS,
    /** The connection breaks with the next request, which the server never sees. */
    LOSE_REQUESTS,
    /** The connection breaks with the next answer, which the ledger never sees. */
    LOSE_ANSWERS,
    /** Requests arrive nowhere and nothing breaks. */
    SWALLOW
  }

  private final ServerSocket listener;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicReference<@Nullable String> cutAt = new AtomicReference<>();
  private volatile Mode mode = Mode.PASS;

  CuttingProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  void set(Mode next) {
    mode = next;
  }

  /** Breaks the connection on which this text is sent next, once. */
  void cutAt(String text) {
    cutAt.set(text);
  }

  /** Whether the connection that was to be cut is still to come. */
  boolean isCutAwaited() {
    return cutAt.get() != null;
  }

  private boolean isCut(byte[] sent, int count) {
    String text = cutAt.get();
    return text != null
        && new String(sent, 0, count, StandardCharsets.UTF_8).contains(text)
        && cutAt.compareAndSet(text, null);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(server);
        threads.execute(() -> pump(client, server, Mode.LOSE_REQUESTS));
        threads.execute(() -> pump(server, client, Mode.LOSE_ANSWERS));
      } catch (IOException _) {
        // Closed, or the server is not there: then the client finds nobody either.
      }
    }
  }

  private void pump(Socket from, Socket to, Mode losing) {
    byte[] buffer = new byte[8192];
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        Mode now = mode;
        if (now == losing || isCut(buffer, count)) {
          return;
        }
        if (now != Mode.SWALLOW) {
          out.write(buffer, 0, count);
        }
      }
    } catch (IOException _) {
      // One side is gone, so the other goes too.
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
    threads.close();
  }
}
