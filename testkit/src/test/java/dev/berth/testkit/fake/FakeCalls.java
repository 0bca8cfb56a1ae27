package dev.berth.testkit.fake;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A client that sends each request on a connection of its own, and never twice. */
final class FakeCalls {
  private final URI address;

  FakeCalls(URI address) {
    this.address = address;
  }

  HttpResponse<String> call(String method, String path, String body) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + path))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(10))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  String get(String path) throws IOException {
    return call("GET", path, "").body();
  }
}
