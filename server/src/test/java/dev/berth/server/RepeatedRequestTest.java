package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same request with the same Idempotency-Key is done once and answered twice. */
@Timeout(120)
class RepeatedRequestTest {
  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer server;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Sender sender;

  @BeforeEach
  void start() throws IOException {
    server = new RunningServer(home);
    sender = new Sender(server.server().url(), "127.0.0.1");
  }

  @AfterEach
  void stop() {
    sender.close();
    server.close();
  }

  private Sender.Answer send(String method, String path, @Nullable Object body, String key) {
    try {
      return sender.send(
          HttpRequest.newBuilder(URI.create(server.server().url() + "/api/v1" + path))
              .method(
                  method,
                  body == null
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofByteArray(
                          ApiJson.MAPPER.writeValueAsBytes(body)))
              .header("Authorization", "Bearer " + Files.readString(home.resolve("token")).strip())
              .header("Idempotency-Key", key)
              .build());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends twice, and the key with another body once. */
  private void assertOnce(String path, Object body, Object other) {
    String key = "of " + path;
    Sender.Answer first = send("POST", path, body, key);
    assertThat(first.status()).as(path + ": " + first.body()).isBetween(200, 201);
    Sender.Answer again = send("POST", path, body, key);
    assertThat(again.status()).as(again.body()).isEqualTo(first.status());
    assertThat(again.json()).isEqualTo(first.json());
    assertReused(send("POST", path, other, key));
  }

  private static void assertReused(Sender.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(422);
    assertThat(answer.detail())
        .contains("the idempotency key was already used for another request");
  }

  /** Deletes twice, also over a restart, and another thing with the same key once. */
  private void assertDeletedOnce(String path, String other) throws IOException {
    String key = "deletes " + path;
    Sender.Answer first = send("DELETE", path, null, key);
    assertThat(first.status()).as(path + ": " + first.body()).isEqualTo(200);
    Sender.Answer again = send("DELETE", path, null, key);
    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.json()).isEqualTo(first.json());
    assertThat(again.response().headers().firstValue("Content-Type")).contains("application/json");
    assertReused(send("DELETE", other, null, key));
    // Without the key, or with another one, there is nothing.
    assertThat(send("DELETE", path, null, "another").status()).isEqualTo(404);
    stop();
    start();
    assertThat(send("DELETE", path, null, key).json()).isEqualTo(first.json());
  }

  @Test
  void peopleAndProjects() throws IOException {
    assertOnce("/users", Map.of("name", "ann"), Map.of("name", "bob"));
    assertOnce("/users/ann", Map.of("role", "admin"), Map.of("role", "user"));
    assertOnce("/projects", Map.of("name", "lab"), Map.of("name", "den"));
    assertOnce("/projects/lab/members", Map.of("user", "ann"), Map.of("user", "bob"));
    assertDeletedOnce("/projects/lab/members/ann", "/projects/lab/members/admin");
    assertDeletedOnce("/projects/lab", "/projects/lab?forget=true");
    assertDeletedOnce("/users/ann", "/users/bob");
  }

  @Test
  void whatIsMadeAgainIsNotDeletedByTheOldKey() {
    send("POST", "/users", Map.of("name", "ann"), "one");
    Sender.Answer first = send("DELETE", "/users/ann", null, "two");
    send("POST", "/users", Map.of("name", "ann"), "three");
    assertThat(send("DELETE", "/users/ann", null, "two").json()).isEqualTo(first.json());
    assertThat(server.client().access().users().users()).hasSize(2);
  }

  @Test
  void tokens() throws IOException {
    send("POST", "/tokens", Map.of("name", "laptop"), "made");
    assertDeletedOnce("/tokens/laptop", "/tokens/phone");
  }

  @Test
  void secrets() throws IOException {
    assertOnce(
        "/projects/main/secrets",
        Map.of("name", "key", "value", "abc"),
        Map.of("name", "key", "value", "xyz"));
    assertDeletedOnce("/projects/main/secrets/key", "/projects/main/secrets/other");
  }

  @Test
  void backends() throws IOException {
    Map<String, Object> config = Map.of("gives", "machines", "state", "memory");
    assertOnce(
        "/projects/main/backends",
        Map.of("name", "cloud", "type", "sim", "config", config),
        Map.of("name", "cloud", "type", "sim", "config", Map.of("gives", "machines")));
    assertDeletedOnce("/projects/main/backends/cloud", "/projects/main/backends/cloud?forget=true");
    // What was removed since is not added by the old key.
    Sender.Answer again =
        send(
            "POST",
            "/projects/main/backends",
            Map.of("name", "cloud", "type", "sim", "config", config),
            "of /projects/main/backends");
    assertThat(again.status()).isEqualTo(201);
    assertThat(server.client().backends("main").backends()).hasSize(1);
  }

  @Test
  void fleets() {
    FleetRequest none = fleet("pool", 0);
    assertOnce("/projects/main/fleets", none, fleet("pool", 1));
    Sender.Answer first = send("DELETE", "/projects/main/fleets/pool", null, "gone");
    assertThat(first.status()).as(first.body()).isEqualTo(200);
    Await.until(() -> server.client().fleets("main").fleets().isEmpty());
    assertThat(send("DELETE", "/projects/main/fleets/pool", null, "gone").json().get("id"))
        .isEqualTo(first.json().get("id"));
    assertReused(send("DELETE", "/projects/main/fleets/other", null, "gone"));
  }

  private static FleetRequest fleet(String name, int nodes) {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "fleet");
    configuration.put("name", name);
    configuration.put("nodes", Map.of("min", nodes, "target", nodes, "max", 2));
    return new FleetRequest(name, configuration);
  }

  @Test
  void runs() throws IOException {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task("yearly", "true").configuration());
    configuration.put("schedule", Map.of("cron", List.of("0 0 1 1 *")));
    assertOnce(
        "/projects/main/runs",
        new RunRequest("yearly", configuration),
        RunningServer.task("other", "true"));
    assertOnce("/projects/main/runs/yearly/stop", Map.of("abort", false), Map.of("abort", true));
    assertDeletedOnce("/projects/main/runs/yearly", "/projects/main/runs/other");
  }
}
