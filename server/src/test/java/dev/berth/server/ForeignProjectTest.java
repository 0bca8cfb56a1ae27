package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.model.api.EventView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing of one project is read, changed or used through another, whoever asks. */
class ForeignProjectTest {
  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer running;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Sender sender;

  /** Of a user of both projects, so that only the path decides. */
  private String token = "";

  private String runId = "";
  private String attemptId = "";
  private String fleetId = "";

  @BeforeEach
  void start() throws IOException {
    running = new RunningServer(home);
    sender = new Sender(running.server().url(), "127.0.0.1");
    People people = new People(running);
    people.project("ours");
    people.project("theirs");
    token = people.member("ann", "ours", "admin");
    people.join("ann", "theirs", "admin");
    BerthClient client = running.client();
    client.submit("theirs", RunningServer.task("canary-run", "echo canary-output"), "their-key");
    Await.until(() -> client.get("theirs", "canary-run").run().finishedAt() != null);
    RunDetail run = client.get("theirs", "canary-run");
    runId = run.run().id();
    attemptId = run.attempts().getFirst().id();
    client.submit("theirs", RunningServer.task("canary-two", "true"), "their-second-key");
    Await.until(() -> client.get("theirs", "canary-two").run().finishedAt() != null);
    fleetId =
        client
            .applyFleet(
                "theirs",
                new FleetRequest(
                    "canary-fleet",
                    Map.of("type", "fleet", "name", "canary-fleet", "nodes", Map.of("min", 0))),
                "their-third-key")
            .id();
  }

  @AfterEach
  void stop() {
    sender.close();
    running.close();
  }

  private Sender.Answer send(String method, String path, @Nullable String body) {
    return sender.send(method, "/projects/ours" + path, body, token);
  }

  @Test
  void namesAndIdsOfAnotherProjectAreNotThere() {
    for (String run : List.of("canary-run", runId, attemptId)) {
      for (String path :
          List.of("", "/explain", "/usage", "/progress", "/logs/stdout", "/follow")) {
        assertNothing(send("GET", "/runs/" + run + path, null));
      }
      assertNothing(send("POST", "/runs/" + run + "/stop", "{\"abort\":true}"));
      assertNothing(send("DELETE", "/runs/" + run, null));
    }
    for (String fleet : List.of("canary-fleet", fleetId)) {
      assertNothing(send("GET", "/fleets/" + fleet, null));
      assertNothing(send("DELETE", "/fleets/" + fleet, null));
    }
    assertThat(running.client().get("theirs", "canary-run").run().id()).isEqualTo(runId);
    assertThat(running.client().fleet("theirs", "canary-fleet").fleet().status())
        .isEqualTo("active");
  }

  private static void assertNothing(Sender.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(404);
    assertThat(answer.detail()).contains("in the project 'ours'");
    assertThat(answer.body()).doesNotContain("canary-output", "theirs");
  }

  @Test
  void listsEventsAndCursorsShowOwnThingsOnly() {
    String cursor =
        sender
            .send("GET", "/projects/theirs/runs?all=true&limit=1", null, token)
            .json()
            .get("next")
            .asString();
    for (String path :
        List.of(
            "/runs?all=true",
            "/runs?all=true&cursor=" + cursor,
            "/fleets",
            "/members",
            "/events?limit=1000")) {
      Sender.Answer answer = send("GET", path, null);
      assertThat(answer.status()).as(answer.body()).isIn(200, 400);
      assertThat(answer.body()).as(path).doesNotContain("canary", "theirs", runId, fleetId);
    }
    List<EventView> theirs = running.client().events("theirs", 0, 1000, 0).events();
    assertThat(theirs).extracting(EventView::entityId).contains(runId, fleetId);
  }

  @Test
  void outputIsNotReachedThroughAPlaceInAnotherStream() {
    BerthClient client = running.client();
    client.submit("ours", RunningServer.task("own", "echo own-output"), "our-key");
    Await.until(() -> client.get("ours", "own").run().finishedAt() != null);
    Sender.Answer answer =
        sender.send(
            HttpRequest.newBuilder(
                    URI.create(running.server().url() + "/api/v1/projects/ours/runs/own/follow"))
                .header("Authorization", "Bearer " + token)
                .header("Last-Event-ID", attemptId + ":0:0")
                .build());
    assertThat(answer.status()).isEqualTo(200);
    // "canary" and "own" in the form of the stream.
    assertThat(answer.body()).contains("b3duLW91dHB1dA").doesNotContain("Y2FuYXJ5");
  }

  @Test
  void runsAndFleetsOfAnotherProjectCannotBeUsed() {
    for (String after : List.of("canary-run", runId)) {
      Sender.Answer refused = submit(Map.of("after", List.of(after)));
      assertThat(refused.status()).as(refused.body()).isEqualTo(422);
      assertThat(refused.body()).contains("there is no run '" + after + "'");
    }
    for (String fleet : List.of("canary-fleet", fleetId)) {
      Sender.Answer refused = submit(Map.of("fleets", List.of(fleet)));
      assertThat(refused.status()).as(refused.body()).isEqualTo(422);
    }
    for (String path : List.of("/runs/plan", "/runs/explain")) {
      Sender.Answer answer =
          send("POST", path, ApiJson.MAPPER.writeValueAsString(request(Map.of())));
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body()).doesNotContain("canary", runId, fleetId);
    }
  }

  @Test
  void aKeyOfAnotherProjectMeansNothingHere() {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(running.server().url() + "/api/v1/projects/ours/runs"))
            .header("Authorization", "Bearer " + token)
            .header("Idempotency-Key", "their-key")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    ApiJson.MAPPER.writeValueAsString(
                        RunningServer.task("canary-run", "echo canary-output"))))
            .build();
    Sender.Answer answer = sender.send(request);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(answer.json().get("project").asString()).isEqualTo("ours");
    assertThat(answer.json().get("id").asString()).isNotEqualTo(runId);
    BerthClient client = running.client();
    Await.until(() -> client.get("ours", "canary-run").run().finishedAt() != null);
  }

  @Test
  void wordsThatNobodyCouldHaveGivenAreNotFoundEither() {
    for (String word : List.of("%C3%BC", "%20", "a".repeat(600), "%00", "..%2Ftheirs")) {
      assertUnknown("POST", "/projects/ours/backends/" + word + "/check");
      for (String path : List.of("/runs/", "/fleets/")) {
        assertUnknown("GET", "/projects/ours" + path + word);
      }
      assertUnknown("GET", "/projects/" + word + "/runs");
      assertUnknown("DELETE", "/projects/ours/members/" + word);
      assertUnknown("DELETE", "/tokens/" + word);
    }
  }

  /** On a connection of its own, because the server may end one that spoke badly. */
  private void assertUnknown(String method, String path) {
    try (Sender own = new Sender(running.server().url(), "127.0.0.1")) {
      Sender.Answer answer = own.send(method, path, null, token);
      assertThat(answer.status()).as(path + ": " + answer.body()).isIn(400, 404);
    }
  }

  private Sender.Answer submit(Map<String, Object> fields) {
    return send("POST", "/runs", ApiJson.MAPPER.writeValueAsString(request(fields)));
  }

  private static RunRequest request(Map<String, Object> fields) {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>(fields);
    configuration.put("type", "task");
    configuration.put("commands", List.of("true"));
    return new RunRequest(null, configuration);
  }
}
