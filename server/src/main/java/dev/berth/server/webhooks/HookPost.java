package dev.berth.server.webhooks;

import dev.berth.model.api.EventView;
import dev.berth.model.config.ServerConfiguration.Webhook;
import dev.berth.server.ApiJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sends one event to one webhook, once. */
final class HookPost {
  private final HttpClient http;
  private final Path folder;
  private final String installation;
  private final Duration answerWithin;
  private final InstantSource clock;

  /** It did not arrive, or nobody said that it did. */
  static final class NotSentException extends Exception {
    private static final long serialVersionUID = 1L;

    NotSentException(String message) {
      super(message);
    }
  }

  /**
   * Sends for one server.
   *
   * @param folder where files of secrets are that are not named from the root
   * @param installation makes ids of events different from those of other installations
   */
  HookPost(
      HttpClient http,
      Path folder,
      String installation,
      Duration answerWithin,
      InstantSource clock) {
    this.http = http;
    this.folder = folder;
    this.installation = installation;
    this.answerWithin = answerWithin;
    this.clock = clock;
  }

  void send(Webhook hook, EventView event) throws NotSentException, InterruptedException {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("type", event.kind());
    content.put("timestamp", event.at());
    content.put("data", event);
    String body = ApiJson.MAPPER.writeValueAsString(content);
    String id = "evt_" + installation + "_" + event.seq();
    long timestamp = clock.instant().getEpochSecond();
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(hook.url()))
              .timeout(answerWithin)
              .header("Content-Type", "application/json")
              .header("User-Agent", "berth-webhook")
              .header("webhook-id", id)
              .header("webhook-timestamp", Long.toString(timestamp))
              .header("webhook-signature", Signature.of(secret(hook), id, timestamp, body))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      // The status says it all; the timeout is over by then, so nobody waits for the body.
      HttpResponse<InputStream> answer =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      answer.body().close();
      int status = answer.statusCode();
      if (status < 200 || status > 299) {
        throw new NotSentException("it answered with the status " + status);
      }
    } catch (IOException e) {
      // The address may hold a secret, and some messages repeat it.
      throw new NotSentException("it cannot be reached: " + e.getClass().getSimpleName());
    } catch (IllegalArgumentException e) {
      throw new NotSentException("its url or its secret cannot be used");
    }
  }

  /** Read each time, so that a new secret holds at once. */
  private String secret(Webhook hook) throws NotSentException {
    try {
      String secret =
          Files.readString(folder.resolve(hook.secretFile()))
              .lines()
              .findFirst()
              .orElse("")
              .strip();
      if (!secret.isEmpty()) {
        return secret;
      }
      throw new NotSentException("the file of its secret is empty: " + hook.secretFile());
    } catch (IOException e) {
      throw new NotSentException("the file of its secret cannot be read: " + hook.secretFile());
    }
  }
}
