package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that is attacked still answers everybody else: many clients send their requests byte by
 * byte, and others send bodies of hundreds of thousands of values, one after the other.
 */
@Timeout(1800)
class OverloadTest {
  private static final int SLOW_CLIENTS = Soak.count(60, 7.5);
  private static final int QUESTIONS = Soak.count(40, 5);
  private static final int SENDERS = 4;

  /** Asserted in a soak only. */
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(1);

  private static final String PLAN = "/api/v1/projects/main/runs/plan";

  /** A client that sends one byte now and then, and comes back when the server hangs up. */
  private static final class SlowClient implements AutoCloseable {
    private final URI server;
    private final byte[] beginning;
    private Socket socket;

    SlowClient(URI server, String beginning) throws IOException {
      this.server = server;
      this.beginning = beginning.getBytes(StandardCharsets.US_ASCII);
      this.socket = connect();
    }

    private Socket connect() throws IOException {
      Socket connected = new Socket(server.getHost(), server.getPort());
      connected.getOutputStream().write(beginning);
      return connected;
    }

    void sendOneByte() throws IOException {
      try {
        OutputStream out = socket.getOutputStream();
        out.write('x');
        out.flush();
      } catch (IOException e) {
        socket.close();
        socket = connect();
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static String task(String value, int count) {
    return "{\"name\": \"abc\", \"configuration\": {\"type\": \"task\", \"commands\": ["
        + (value + ",").repeat(count)
        + value
        + "]}}";
  }

  @Test
  void othersAreAnswered() throws Exception {
    try (TestHome home = TestHome.fresh()) {
      home.berth("ps").expect(0);
      long pid = home.serverPid();
      URI server = URI.create(home.embedded().orElseThrow().get("url").asString());
      String token = Files.readString(home.folder().resolve("token")).strip();
      List<Duration> times = attack(server, token);
      assertThat(home.serverPid()).as("the server that was attacked").isEqualTo(pid);
      Duration p99 = times.get(times.size() * 99 / 100);
      System.out.printf(
          "OverloadTest: %d questions beside %d slow clients, p99 %d ms, worst %d ms%n",
          times.size(), SLOW_CLIENTS, p99.toMillis(), times.getLast().toMillis());
      if (Soak.rounds(0) > 0) {
        assertThat(p99).isLessThan(ANSWERED_WITHIN);
      }
    }
  }

  /** Asks while the attack goes on, and returns how long each answer took, in order of length. */
  private static List<Duration> attack(URI server, String token) throws Exception {
    String head = "POST " + PLAN + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token;
    List<SlowClient> slow = new ArrayList<>();
    AtomicBoolean over = new AtomicBoolean();
    try (BerthClient client = new BerthClient(server.toString(), token);
        HttpClient http = HttpClient.newHttpClient();
        ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> sent = new ArrayList<>();
      List<Duration> times = new ArrayList<>();
      try {
        for (int i = 0; i < SLOW_CLIENTS; i++) {
          String beginning = i % 2 == 0 ? "\r\nX-Slow: " : "\r\nContent-Length: 90000\r\n\r\n";
          slow.add(new SlowClient(server, head + beginning));
        }
        for (int i = 0; i < SENDERS; i++) {
          HttpRequest.BodyPublisher body =
              HttpRequest.BodyPublishers.ofString(
                  i % 2 == 0 ? task("{}", 5_200_000) : task("[]", 240_000));
          HttpRequest request =
              HttpRequest.newBuilder(server.resolve(PLAN))
                  .version(HttpClient.Version.HTTP_1_1)
                  .header("Authorization", "Bearer " + token)
                  .POST(body)
                  .build();
          sent.add(senders.submit(() -> sendUntil(over, http, request)));
        }
        for (int i = 0; i < QUESTIONS; i++) {
          for (SlowClient one : slow) {
            one.sendOneByte();
          }
          long begun = System.nanoTime();
          assertThat(client.list("main", true, 10, null).runs()).isEmpty();
          times.add(Duration.ofNanos(System.nanoTime() - begun));
        }
      } finally {
        over.set(true);
        for (SlowClient one : slow) {
          one.close();
        }
      }
      for (Future<Integer> one : sent) {
        assertThat(one.get()).as("bodies that were refused").isPositive();
      }
      return times.stream().sorted().toList();
    }
  }

  /** Returns how many bodies the server refused. */
  private static int sendUntil(AtomicBoolean over, HttpClient http, HttpRequest request)
      throws IOException, InterruptedException {
    int refused = 0;
    do {
      int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      assertThat(status).isIn(413, 422, 503);
      refused++;
    } while (!over.get());
    return refused;
  }
}
