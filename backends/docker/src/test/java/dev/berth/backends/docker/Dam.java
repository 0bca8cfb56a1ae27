package dev.berth.backends.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A port in front of another one. It lets so many bytes of a single answer through and holds the
 * rest until it is opened, so that a test can look at what happens in the middle.
 */
final class Dam implements AutoCloseable {
  private static final byte TLS_HELLO = 0x16;

  private final ServerSocket server;
  private final int target;
  private final long most;
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /** Holds back answers from their byte {@code most} on; {@link Long#MAX_VALUE} holds none. */
  Dam(int target, long most) {
    this.target = target;
    this.most = most;
    try {
      this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket near = server.accept();
        sockets.add(near);
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(far);
        Thread.ofVirtual().start(() -> copy(near, far, Long.MAX_VALUE));
        Thread.ofVirtual().start(() -> copy(far, near, most));
      } catch (IOException refused) {
        // Whoever connected to a closed port is hung up on, as without us.
        hangUp();
      }
    }
  }

  private void copy(Socket from, Socket to, long limit) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] piece = new byte[16 * 1024];
      long passed = 0;
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        if (passed == 0 && piece[0] == TLS_HELLO) {
          // Engines try that first, and would wait long for a server that does not understand it.
          return;
        }
        passed += count;
        if (passed > limit) {
          held.countDown();
          opened.await();
        }
        out.write(piece, 0, count);
      }
    } catch (IOException | InterruptedException ended) {
      // One of the two sides hung up, and now so does the other.
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until an answer is held back. */
  void awaitHeld() throws InterruptedException {
    if (!held.await(1, TimeUnit.MINUTES)) {
      throw new AssertionError("nobody asked for so much");
    }
  }

  void open() {
    opened.countDown();
  }

  private void hangUp() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
    sockets.clear();
  }

  /** Hangs up on everybody, in the middle of whatever is said. */
  void cut() {
    try {
      server.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    hangUp();
    opened.countDown();
  }

  @Override
  public void close() {
    cut();
  }
}
