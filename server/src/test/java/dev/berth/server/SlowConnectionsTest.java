package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that send the head of a request one byte at a time. */
@Timeout(60)
class SlowConnectionsTest {
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);
  private final CountDownLatch slow = new CountDownLatch(1);

  @BeforeEach
  void start() throws Exception {
    server.addConnector(connector);
    server.addBean(new SlowConnections(server, Duration.ofMillis(200)));
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback)
              throws Exception {
            if (request.getHttpURI().getPath().equals("/slow")) {
              slow.await();
            }
            response.write(true, ByteBuffer.wrap(new byte[] {'o', 'k'}), callback);
            return true;
          }
        });
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    slow.countDown();
    server.stop();
  }

  private Socket connected() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
  }

  private static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  /** Sends one byte after the other until the server has hung up. */
  private static void trickle(Socket socket, String text) throws IOException {
    socket.setSoTimeout(20);
    boolean open = true;
    while (open) {
      try {
        write(socket, text);
        open = socket.getInputStream().read() >= 0;
      } catch (SocketTimeoutException e) {
        // It still waits for more.
      } catch (SocketException e) {
        open = false;
      }
    }
  }

  @Test
  void whoNeverEndsAHeadIsHungUpOn() throws Exception {
    try (Socket socket = connected()) {
      write(socket, "GET / HTTP/1.1\r\nHost: x\r\nX-Long: ");
      trickle(socket, "x");
    }
  }

  @Test
  void whoSendsOnlyEmptyLinesIsHungUpOn() throws Exception {
    try (Socket socket = connected()) {
      trickle(socket, "\r\n");
    }
  }

  @Test
  void theNextRequestOfAConnectionMustArriveToo() throws Exception {
    try (Socket socket = connected()) {
      write(socket, "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nX: ");
      assertThat(answer(socket.getInputStream())).startsWith("HTTP/1.1 200");
      trickle(socket, "x");
    }
  }

  /** Waiting for an answer, or for the next request, is not slow. */
  @Test
  void whoWaitsStays() throws Exception {
    try (Socket waiting = connected();
        Socket resting = connected();
        Socket hungUpOn = connected()) {
      write(waiting, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
      write(resting, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(answer(resting.getInputStream())).startsWith("HTTP/1.1 200");
      // Once another one was hung up on, these were looked at for long enough.
      write(hungUpOn, "GET / HTTP/1.1\r\nX: ");
      trickle(hungUpOn, "x");
      slow.countDown();
      assertThat(answer(waiting.getInputStream())).startsWith("HTTP/1.1 200");
      write(resting, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(answer(resting.getInputStream())).startsWith("HTTP/1.1 200");
    }
  }

  private static String answer(InputStream in) throws IOException {
    StringBuilder read = new StringBuilder();
    while (!read.toString().endsWith("ok")) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      read.append((char) next);
    }
    return read.toString();
  }
}
