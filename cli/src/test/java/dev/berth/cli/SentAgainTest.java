package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SentAgainTest {
  /** Where no server listens: only the system may. */
  private static final int NOBODY = 1;

  private final StringWriter said = new StringWriter();
  private final List<Duration> pauses = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();
  private final SentAgain again = new SentAgain(new PrintWriter(said), pauses::add);

  private HttpServer server;
  private volatile int answered;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(answered, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void whatNoServerTookIsSentAgainWithTheSameKey() {
    List<Integer> statuses = new ArrayList<>(List.of(0, 503));
    String taken =
        again.send(
            key -> {
              keys.add(key);
              if (!statuses.isEmpty()) {
                ask(statuses.removeFirst());
              }
              return "taken";
            });
    assertThat(taken).isEqualTo("taken");
    assertThat(keys).hasSize(3).containsOnly(keys.getFirst());
    assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
    assertThat(said.toString()).contains("retrying in 1 s").contains("retrying in 2 s");
  }

  @Test
  void whatNobodyEverTakesIsGivenUp() {
    assertThatThrownBy(() -> again.send(key -> fail(key, 0))).isInstanceOf(ClientException.class);
    assertThat(keys).hasSize(6);
  }

  @Test
  void aRefusalIsARefusal() {
    for (int status : new int[] {400, 401, 409, 422, 500}) {
      keys.clear();
      assertThatThrownBy(() -> again.send(key -> fail(key, status)))
          .isInstanceOf(ClientException.class);
      assertThat(keys).hasSize(1);
    }
    assertThat(pauses).isEmpty();
  }

  private String fail(String key, int status) {
    keys.add(key);
    ask(status);
    return "taken";
  }

  /** Asks a server that answers so; 0 for none. */
  private void ask(int status) {
    answered = status;
    int port = status == 0 ? NOBODY : server.getAddress().getPort();
    try (BerthClient client = new BerthClient("http://127.0.0.1:" + port, "token")) {
      client.health();
    }
  }
}
