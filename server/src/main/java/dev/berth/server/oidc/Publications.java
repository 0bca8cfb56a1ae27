package dev.berth.server.oidc;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Fetches what an issuer publishes: texts of a reasonable size, over TLS, without redirects. */
final class Publications {
  static final int LARGEST = 1024 * 1024;

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  private Publications() {}

  /** Whether nobody can listen in or answer in its place. */
  static boolean isSafe(URI address) {
    String host = address.getHost();
    return host != null
        && ("https".equals(address.getScheme())
            || ("http".equals(address.getScheme()) && LOOPBACK.contains(host)));
  }

  static String fetch(URI address) {
    if (!isSafe(address)) {
      throw new IssuerUnavailableException(address + " is not an https address");
    }
    // It is asked so seldom that keeping a client with its threads would cost more.
    try (HttpClient http =
        HttpClient.newBuilder()
            .connectTimeout(ANSWER_WITHIN)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build()) {
      HttpResponse<InputStream> response =
          http.send(
              HttpRequest.newBuilder(address)
                  .timeout(ANSWER_WITHIN)
                  .header("Accept", "application/json")
                  .build(),
              HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        byte[] bytes = body.readNBytes(LARGEST + 1);
        if (response.statusCode() != 200 || bytes.length > LARGEST) {
          throw new IssuerUnavailableException(
              bytes.length > LARGEST
                  ? address + " has more than " + LARGEST + " bytes"
                  : address + " answers " + response.statusCode());
        }
        return new String(bytes, StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new IssuerUnavailableException(address + " does not answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IssuerUnavailableException("the server is stopping", e);
    }
  }
}
