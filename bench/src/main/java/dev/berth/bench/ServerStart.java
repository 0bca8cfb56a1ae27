package dev.berth.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures from the start of {@code berth server} with an empty home, which makes its database,
 * until it answers that it is well.
 */
record ServerStart() implements Benchmark {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);
  private static final byte[] ASK =
      "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  @Override
  public List<Figure> figures() {
    return List.of(new Figure("server-start", "ms", JvmFloor.NAME));
  }

  @Override
  public Trial prepare(Workplace place) {
    return new Trial() {
      @Override
      public double[] sample() throws IOException, InterruptedException {
        int port = freePort();
        ProcessBuilder builder =
            place.berth(place.newHome(), "server", "--port", Integer.toString(port));
        long started = System.nanoTime();
        Process server = place.start(builder);
        try {
          awaitHealth(server, port, started + ANSWER_WITHIN.toNanos());
          return new double[] {(System.nanoTime() - started) / 1e6};
        } finally {
          TemporaryServer.end(server.toHandle());
        }
      }

      @Override
      public double[] samplePeer() throws IOException, InterruptedException {
        return new double[] {JvmFloor.wallMillis(place)};
      }
    };
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitHealth(Process server, int port, long deadline)
      throws IOException, InterruptedException {
    while (!isHealthy(port)) {
      if (!server.isAlive()) {
        throw new IOException("the server ended with " + server.exitValue());
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "the server did not answer within " + ANSWER_WITHIN.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  private static boolean isHealthy(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(ASK);
      InputStream answer = socket.getInputStream();
      return new String(answer.readAllBytes(), StandardCharsets.US_ASCII)
          .startsWith("HTTP/1.1 200");
    } catch (IOException e) {
      return false; // nobody listens yet
    }
  }
}
