package dev.berth.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A line to a server that is cut when so many bytes have gone through it, again and again. */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final URI server;
  private final Queue<Long> cuts;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicInteger done = new AtomicInteger();

  /**
   * Listens.
   *
   * @param cuts after how many bytes to the server, counted over all connections; in order
   */
  CuttingProxy(String server, Queue<Long> cuts) throws IOException {
    this.server = URI.create(server);
    this.cuts = new ConcurrentLinkedQueue<>(cuts);
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  /** Bytes that went to the server. */
  long sent() {
    return sent.get();
  }

  /** How often the line was cut. */
  int cutSoFar() {
    return done.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listener.accept();
        Socket far = new Socket(server.getHost(), server.getPort());
        Thread.ofVirtual().start(() -> pump(near, far, true));
        Thread.ofVirtual().start(() -> pump(far, near, false));
      }
    } catch (IOException e) {
      if (!listener.isClosed()) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void pump(Socket from, Socket to, boolean towardsServer) {
    byte[] piece = new byte[16 * 1024];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        Long cut = cuts.peek();
        if (towardsServer && sent.addAndGet(count) > (cut == null ? Long.MAX_VALUE : cut)) {
          cuts.remove();
          done.incrementAndGet();
          return;
        }
        out.write(piece, 0, count);
        out.flush();
      }
    } catch (IOException e) {
      // The other direction has ended the connection.
      System.getLogger(CuttingProxy.class.getName()).log(System.Logger.Level.DEBUG, "ended", e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
