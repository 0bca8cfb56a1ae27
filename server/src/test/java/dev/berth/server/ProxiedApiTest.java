package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Wrong tokens are counted by client, also where a proxy stands before the server. */
@Timeout(120)
class ProxiedApiTest {
  @TempDir Path home;

  /** Asks with a wrong token, as if for somebody else. */
  private static int ask(RunningServer server, Sender sender, String client) {
    return sender
        .send(
            HttpRequest.newBuilder(URI.create(server.server().url() + "/api/v1/projects"))
                .header("Authorization", "Bearer wrong")
                .header(TrustedProxies.HEADER, client)
                .build())
        .status();
  }

  @Test
  void whoFailsIsTheClientOfATrustedProxy() throws Exception {
    Files.writeString(home.resolve("server.yml"), "server: {trusted-proxies: [127.0.6.0/24]}\n");
    try (RunningServer server = new RunningServer(home);
        Sender proxy = new Sender(server.server().url(), "127.0.6.1");
        Sender other = new Sender(server.server().url(), "127.0.7.1")) {
      for (int i = 0; i < FailedLogins.MOST; i++) {
        assertThat(ask(server, proxy, "203.0.113." + i + ", 198.51.100.1")).isEqualTo(401);
      }
      assertThat(ask(server, proxy, "203.0.113.99, 198.51.100.1")).isEqualTo(429);
      assertThat(ask(server, proxy, "198.51.100.2")).isEqualTo(401);
      for (int i = 0; i < FailedLogins.MOST; i++) {
        assertThat(ask(server, other, "198.51.100.3")).isEqualTo(401);
      }
      assertThat(ask(server, other, "198.51.100.4")).as("nobody trusts this one").isEqualTo(429);
      assertThat(ask(server, proxy, "198.51.100.3")).isEqualTo(401);
    }
  }

  @Test
  void nothingIsTakenFromTheHeaderUnlessTheFileSaysSo() throws Exception {
    try (RunningServer server = new RunningServer(home);
        Sender sender = new Sender(server.server().url(), "127.0.6.1")) {
      for (int i = 0; i < FailedLogins.MOST; i++) {
        assertThat(ask(server, sender, "198.51.100." + i)).isEqualTo(401);
      }
      assertThat(ask(server, sender, "198.51.100.99")).isEqualTo(429);
    }
  }
}
