package dev.berth.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.json.JsonMapper;

/**
 * An identity provider on this machine, of whom a browser is not needed: the test says what the
 * person does with the code.
 */
final class DeviceIssuer implements AutoCloseable {
  static final String CODE = "WDJB-MJHT";
  private static final String DEVICE_CODE = "a-device-code";
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final HttpServer http;
  private final KeyPair keys;
  private final AtomicInteger asked = new AtomicInteger();

  /** What the next question for the token is answered: a word of RFC 8628, or a mail address. */
  private volatile String outcome = "authorization_pending";

  DeviceIssuer() throws IOException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      keys = generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
    http = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    http.createContext("/.well-known/openid-configuration", at -> answer(at, 200, description()));
    http.createContext("/keys", at -> answer(at, 200, Map.of("keys", List.of(publicKey()))));
    http.createContext("/device", at -> answer(at, 200, begun(form(at))));
    http.createContext("/token", this::token);
    http.start();
  }

  String name() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** The person enters the code and logs in, or does not. */
  void person(String next) {
    outcome = next;
  }

  /** How often the token was asked for. */
  int asked() {
    return asked.get();
  }

  private Map<String, Object> description() {
    return Map.of(
        "issuer",
        name(),
        "jwks_uri",
        name() + "/keys",
        "device_authorization_endpoint",
        name() + "/device",
        "token_endpoint",
        name() + "/token");
  }

  private Map<String, Object> publicKey() {
    RSAPublicKey key = (RSAPublicKey) keys.getPublic();
    return Map.of(
        "kty",
        "RSA",
        "kid",
        "k1",
        "use",
        "sig",
        "alg",
        "RS256",
        "n",
        base64(unsigned(key.getModulus())),
        "e",
        base64(unsigned(key.getPublicExponent())));
  }

  private Map<String, Object> begun(Map<String, String> form) {
    if (!"berth".equals(form.get("client_id"))
        || !form.getOrDefault("scope", "").contains("openid")) {
      return Map.of("error", "invalid_request");
    }
    return Map.of(
        "device_code",
        DEVICE_CODE,
        "user_code",
        CODE,
        "verification_uri",
        name() + "/activate",
        "verification_uri_complete",
        name() + "/activate?user_code=" + CODE,
        "expires_in",
        600,
        "interval",
        1);
  }

  private void token(HttpExchange exchange) throws IOException {
    Map<String, String> form = form(exchange);
    asked.incrementAndGet();
    String now = outcome;
    if (!DEVICE_CODE.equals(form.get("device_code"))
        || !"urn:ietf:params:oauth:grant-type:device_code".equals(form.get("grant_type"))) {
      answer(exchange, 400, Map.of("error", "invalid_grant"));
    } else if (now.contains("@")) {
      answer(exchange, 200, Map.of("id_token", idToken(now), "token_type", "Bearer"));
    } else {
      answer(exchange, 400, Map.of("error", now));
    }
  }

  private String idToken(String email) {
    long now = Instant.now().getEpochSecond();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", name());
    claims.put("sub", email);
    claims.put("aud", "berth");
    claims.put("iat", now);
    claims.put("exp", now + 300);
    claims.put("email", email);
    claims.put("email_verified", true);
    String input =
        base64(MAPPER.writeValueAsBytes(Map.of("alg", "RS256", "kid", "k1")))
            + "."
            + base64(MAPPER.writeValueAsBytes(claims));
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(input.getBytes(StandardCharsets.US_ASCII));
      return input + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] unsigned(BigInteger number) {
    byte[] bytes = number.toByteArray();
    return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static Map<String, String> form(HttpExchange exchange) throws IOException {
    Map<String, String> form = new LinkedHashMap<>();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    for (String field : body.split("&", -1)) {
      String[] parts = field.split("=", 2);
      form.put(
          parts[0], parts.length == 1 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return form;
  }

  private static void answer(HttpExchange exchange, int status, Object body) throws IOException {
    try (exchange) {
      byte[] bytes = MAPPER.writeValueAsBytes(body);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
