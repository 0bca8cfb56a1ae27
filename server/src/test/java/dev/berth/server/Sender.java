package dev.berth.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes requests from an address of its own, with whatever token. */
final class Sender implements AutoCloseable {
  private final HttpClient http;
  private final String base;

  /** An answer: its status, its body and what the headers say. */
  record Answer(int status, String body, HttpResponse<String> response) {
    JsonNode json() {
      return ApiJson.MAPPER.readTree(body);
    }

    /** The sentence of a refusal. */
    String detail() {
      return json().get("detail").asString();
    }
  }

  Sender(String url, String address) {
    this.base = url + "/api/v1";
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(InetAddress.ofLiteral(address))
            .build();
  }

  Answer send(String method, String path, @Nullable String body, @Nullable String token) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return send(request.build());
  }

  Answer send(HttpRequest request) {
    try {
      return sent(request);
    } catch (IOException e) {
      return sentAgain(request, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** A server may close a connection when it has refused a body without reading it. */
  private Answer sentAgain(HttpRequest request, IOException first) {
    try {
      return sent(request);
    } catch (IOException e) {
      e.addSuppressed(first);
      throw new AssertionError(request.toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private Answer sent(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body(), response);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
