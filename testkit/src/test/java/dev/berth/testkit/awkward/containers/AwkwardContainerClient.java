package dev.berth.testkit.awkward.containers;

import dev.berth.spi.BackendException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the API of the awkward cloud of containers, and says in Berth's words what went wrong. */
class AwkwardContainerClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LIMIT).build();
  private final AwkwardContainerConfig config;

  AwkwardContainerClient(AwkwardContainerConfig config) {
    this.config = config;
  }

  /** All containers, from all pages: a part of them would be taken for all. */
  List<JsonNode> containers() {
    List<JsonNode> all = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = call("GET", "/v1/containers?cursor=" + cursor, Map.of());
      page.path("containers").forEach(all::add);
      cursor = page.path("next").asString("");
    } while (!cursor.isEmpty());
    return all;
  }

  JsonNode call(String method, String path, Map<String, ?> body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(config.endpoint() + path))
            .timeout(LIMIT)
            .header("Authorization", "Bearer " + config.creds().apiKey().reveal())
            .method(method, HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      JsonNode answer = JSON.readTree(response.body().isBlank() ? "{}" : response.body());
      if (response.statusCode() >= 300) {
        throw failure(response, answer.path("error"));
      }
      return answer;
    } catch (IOException | JacksonException e) {
      throw new BackendException.Transient("the cloud does not answer: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException.Transient("the call was interrupted", e);
    }
  }

  private static BackendException failure(HttpResponse<String> response, JsonNode error) {
    int status = response.statusCode();
    String said = "the cloud says: " + error.path("message").asString("status " + status);
    return switch (status) {
      case 401, 403 -> new BackendException.Unauthorised(said, null);
      case 404 -> new BackendException.Gone(said, null);
      case 429 ->
          new BackendException.RateLimited(
              said,
              Duration.ofSeconds(response.headers().firstValueAsLong("Retry-After").orElse(5)));
      default ->
          // 412 says that somebody else changed it meanwhile, so that it must be looked at again.
          status < 500 && status != 412
              ? new BackendException.Permanent(said, null)
              : new BackendException.Transient(said, null);
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
