package dev.berth.server.oidc;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
    return fetch(address, ANSWER_WITHIN);
  }

  /** The same, within a time for all of it. */
  static String fetch(URI address, Duration within) {
    if (!isSafe(address)) {
      throw new IssuerUnavailableException(address + " is not an https address");
    }
    // It is asked so seldom that keeping a client with its threads would cost more.
    try (HttpClient http =
        HttpClient.newBuilder()
            .connectTimeout(within)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build()) {
      // A request's own timeout ends with the headers; logins wait for all of it.
      CompletableFuture<HttpResponse<byte[]>> answer =
          http.sendAsync(
              HttpRequest.newBuilder(address).header("Accept", "application/json").build(),
              HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), LARGEST));
      try {
        HttpResponse<byte[]> response = answer.get(within.toMillis(), TimeUnit.MILLISECONDS);
        if (response.statusCode() != 200) {
          throw new IssuerUnavailableException(address + " answers " + response.statusCode());
        }
        return new String(response.body(), StandardCharsets.UTF_8);
      } finally {
        // Otherwise closing the client would wait for what was given up.
        answer.cancel(true);
        http.shutdownNow();
      }
    } catch (ExecutionException e) {
      throw new IssuerUnavailableException(address + " does not answer: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IssuerUnavailableException(
          address + " does not answer within " + within.toSeconds() + " seconds", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IssuerUnavailableException("the server is stopping", e);
    }
  }
}
