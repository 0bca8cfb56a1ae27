package dev.berth.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is fetched from an issuer that behaves badly. */
@Timeout(60)
class PublicationsTest {
  private HttpServer http;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    http.start();
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private URI serve(int bytes, boolean whole) {
    http.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(new byte[bytes]);
          exchange.getResponseBody().flush();
          if (whole) {
            exchange.close();
          }
        });
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/keys");
  }

  @Test
  void aBodyThatNeverEndsIsGivenUp() {
    URI address = serve(10, false);
    assertThatThrownBy(() -> Publications.fetch(address, Duration.ofSeconds(1)))
        .isInstanceOf(IssuerUnavailableException.class)
        .hasMessageContaining("does not answer within 1 seconds");
  }

  @Test
  void aBodyThatIsTooLargeIsNotTaken() {
    URI address = serve(Publications.LARGEST + 1, true);
    assertThatThrownBy(() -> Publications.fetch(address))
        .isInstanceOf(IssuerUnavailableException.class)
        .hasMessageContaining(address + " does not answer");
  }

  @Test
  void aBodyThatFitsIsTaken() {
    assertThat(Publications.fetch(serve(Publications.LARGEST, true))).hasSize(Publications.LARGEST);
  }
}
