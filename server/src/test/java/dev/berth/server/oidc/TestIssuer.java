package dev.berth.server.oidc;

import com.nimbusds.jose.jwk.JWKSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.json.JsonMapper;

/** A real issuer on this machine, which says of itself and of its keys what a test wants. */
public final class TestIssuer implements AutoCloseable {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final HttpServer http;
  private final AtomicInteger keyFetches = new AtomicInteger();
  private final AtomicInteger discoveries = new AtomicInteger();
  private final Map<String, Object> description = new LinkedHashMap<>();
  private volatile List<SigningKey> keys;
  private volatile boolean down;

  public TestIssuer(SigningKey... keys) throws IOException {
    this.keys = List.of(keys);
    http = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    description.put("issuer", name());
    description.put("jwks_uri", name() + "/keys");
    description.put("device_authorization_endpoint", name() + "/device");
    description.put("token_endpoint", name() + "/token");
    http.createContext(
        "/.well-known/openid-configuration",
        exchange -> {
          discoveries.incrementAndGet();
          answer(exchange, MAPPER.writeValueAsString(description));
        });
    http.createContext(
        "/keys",
        exchange -> {
          keyFetches.incrementAndGet();
          answer(
              exchange,
              new JWKSet(this.keys.stream().map(SigningKey::published).toList()).toString());
        });
    http.start();
  }

  private void answer(HttpExchange exchange, String text) throws IOException {
    try (exchange) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(down ? 500 : 200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  public String name() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** What its tokens say of somebody, at a second. */
  public Map<String, Object> claims(String email, long now) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", name());
    claims.put("sub", "subject-of-" + email.toLowerCase(Locale.ROOT));
    claims.put("aud", "berth");
    claims.put("iat", now);
    claims.put("exp", now + 300);
    claims.put("email", email);
    claims.put("email_verified", true);
    return claims;
  }

  /** From now on these are its keys. */
  void rotate(SigningKey... next) {
    keys = List.of(next);
  }

  /** Before it is asked: a part of its description. */
  void describe(String field, String value) {
    description.put(field, value);
  }

  public void down(boolean now) {
    down = now;
  }

  int keyFetches() {
    return keyFetches.get();
  }

  int discoveries() {
    return discoveries.get();
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
