package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunList;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HttpApiTest {
  private static final String RUNS = "/api/v1/projects/main/runs";

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer running;

  @BeforeEach
  void start() throws IOException {
    running = new RunningServer(home);
  }

  @AfterEach
  void stop() {
    running.close();
  }

  @Test
  void healthNeedsNoTokenAndEverythingElseDoes() throws Exception {
    assertThat(running.request("GET", "/api/v1/health", null, false).statusCode()).isEqualTo(200);
    HttpResponse<String> refused = running.request("GET", RUNS, null, false);
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(refused.body()).contains("token is missing or wrong");
    assertThatThrownBy(() -> new BerthClient(running.server().url(), "wrong").info())
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(401));
  }

  @Test
  void offersAreThoseOfTheBackends() throws Exception {
    HttpResponse<String> answer =
        running.request("POST", "/api/v1/projects/main/offers", "{}", true);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode offers = JsonMapper.shared().readTree(answer.body());
    assertThat(offers.get("total").asInt()).isEqualTo(1);
    assertThat(offers.get("offers").get(0).get("backend").asString()).isEqualTo("local");
    assertThat(offers.get("offers").get(0).get("price").asDouble()).isZero();
    for (String wrong :
        List.of("{\"gpu\": \"80GB:40GB\"}", "{\"group_by\": [\"price\"]}", "{\"max_offers\": 0}")) {
      HttpResponse<String> refused =
          running.request("POST", "/api/v1/projects/main/offers", wrong, true);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(422);
      assertThat(refused.body()).contains("\"errors\"");
    }
  }

  @Test
  void aMisspeltFieldIsRefused() throws Exception {
    HttpResponse<String> refused =
        running.request("POST", "/api/v1/projects/main/offers", "{\"gpus\": \"H100\"}", true);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    assertThat(refused.body()).contains("there is no field 'gpus' here");
  }

  /** Each node is a row of the server's, so that one number could be more than its memory holds. */
  @Test
  void aNumberOfNodesThatNoServerHoldsIsRefused() {
    String viewer = new People(running).member("ann", RunningServer.PROJECT, "viewer");
    try (Sender sender = new Sender(running.server().url(), "127.0.0.1")) {
      String task =
          "{\"name\": \"huge\", \"configuration\": {\"type\": \"task\", \"commands\": [\"true\"],"
              + " \"nodes\": 2000000000}}";
      String groups =
          task.replace("\"commands\": [\"true\"], \"nodes\": 2000000000", "\"groups\": GROUPS")
              .replace(
                  "GROUPS",
                  "[{\"nodes\": 1000, \"commands\": [\"true\"]},"
                      + " {\"nodes\": 1000, \"commands\": [\"true\"]}]");
      for (String path : List.of("/runs/plan", "/runs/explain")) {
        Sender.Answer many = sender.send("POST", "/projects/main" + path, task, viewer);
        assertThat(many.status()).as(many.body()).isEqualTo(422);
        assertThat(many.body()).contains("expected 1 to 1000");
        Sender.Answer together = sender.send("POST", "/projects/main" + path, groups, viewer);
        assertThat(together.status()).as(together.body()).isEqualTo(422);
        assertThat(together.body()).contains("2000 nodes in total; expected at most 1000");
      }
    }
  }

  @Test
  void theTokenFileIsForItsOwnerOnly() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("token"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aRunGoesFromSubmissionToItsExitCode() {
    RunView submitted = running.submit(RunningServer.task("fine", "printf 'a\\nb'", "exit 4"));
    assertThat(new String(running.outputOf("fine"), StandardCharsets.UTF_8)).isEqualTo("a\nb");
    RunView ended = running.client().get(RunningServer.PROJECT, "fine").run();
    assertThat(ended.id()).isEqualTo(submitted.id());
    assertThat(ended.status()).isEqualTo("failed");
    assertThat(ended.exitCode()).isEqualTo(4);
    assertThat(ended.finishedAt()).isNotNull();
  }

  @Test
  void theSameKeyTakesEffectOnceAndAnotherRequestWithItIsRefused() {
    RunRequest request = RunningServer.task("once", "true");
    RunView first = running.client().submit(RunningServer.PROJECT, request, "key-1");
    RunView second = running.client().submit(RunningServer.PROJECT, request, "key-1");
    assertThat(second.id()).isEqualTo(first.id());
    assertThatThrownBy(
            () ->
                running
                    .client()
                    .submit(RunningServer.PROJECT, RunningServer.task("other", "true"), "key-1"))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(422));
    assertThat(running.client().list(RunningServer.PROJECT, true, 100, null).runs()).hasSize(1);
    running.outputOf(first.id());
  }

  @Test
  void aNameIsTakenWhileItsRunIsActive() {
    running.submit(RunningServer.task("busy", "sleep 600"));
    assertThatThrownBy(() -> running.submit(RunningServer.task("busy", "true")))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(409));
    assertThatThrownBy(() -> running.client().delete(RunningServer.PROJECT, "busy"))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(409));
    running.client().stop(RunningServer.PROJECT, "busy", true);
    running.outputOf("busy");
    assertThat(running.client().get(RunningServer.PROJECT, "busy").run().status())
        .isEqualTo("terminated");
    RunView again = running.submit(RunningServer.task("busy", "true"));
    running.outputOf(again.id());
    assertThat(running.client().get(RunningServer.PROJECT, "busy").run().id())
        .isEqualTo(again.id());
  }

  @Test
  void whatCannotRunIsRefusedWithItsField() {
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "task");
    configuration.put("image", "ubuntu");
    configuration.put("commands", List.of("true"));
    RunRequest request = new RunRequest(null, configuration);
    assertThat(running.client().plan(RunningServer.PROJECT, request).refusals())
        .anySatisfy(refusal -> assertThat(refusal.path()).isEqualTo("image"));
    assertThatThrownBy(() -> running.submit(request))
        .isInstanceOfSatisfying(
            ClientException.class,
            e -> {
              assertThat(e.status()).isEqualTo(422);
              assertThat(e.errors()).extracting("path").contains("image");
            });
  }

  @Test
  void aPlanShowsThisMachine() {
    var plan = running.client().plan(RunningServer.PROJECT, RunningServer.task("plan", "true"));
    assertThat(plan.offers()).hasSize(1);
    assertThat(plan.offers().getFirst().cpus()).isPositive();
    assertThat(plan.refusals()).isEmpty();
  }

  @Test
  void pagesListEachRunOnceNewestFirst() {
    for (int i = 0; i < 5; i++) {
      running.outputOf(running.submit(RunningServer.task("run-" + i, "true")).id());
    }
    List<String> names = new ArrayList<>();
    String cursor = null;
    do {
      RunList page = running.client().list(RunningServer.PROJECT, true, 2, cursor);
      page.runs().forEach(run -> names.add(run.name()));
      cursor = page.next();
    } while (cursor != null);
    assertThat(names).containsExactly("run-4", "run-3", "run-2", "run-1", "run-0");
    assertThat(running.client().list(RunningServer.PROJECT, false, 10, null).runs()).isEmpty();
  }

  @Test
  void aDeletedRunIsGoneWithItsOutput() {
    running.outputOf(running.submit(RunningServer.task("gone", "echo x")).id());
    running.client().delete(RunningServer.PROJECT, "gone");
    assertThatThrownBy(() -> running.client().get(RunningServer.PROJECT, "gone"))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(404));
  }

  @Test
  void rangesGiveTheSameBytesAsTheWhole() {
    running.outputOf(running.submit(RunningServer.task("bytes", "seq 1 20000")).id());
    byte[] whole = running.outputOf("bytes");
    BerthClient.Range tail =
        running
            .client()
            .log(RunningServer.PROJECT, "bytes", BerthClient.Source.FIRST_NODE, "stdout", 1000);
    assertThat(tail.ended()).isTrue();
    assertThat(tail.nextOffset()).isEqualTo(whole.length);
    assertThat(tail.bytes()).isEqualTo(java.util.Arrays.copyOfRange(whole, 1000, whole.length));
  }

  @Test
  void eventsAreNumberedWithoutGaps() {
    running.outputOf(running.submit(RunningServer.task("told", "true")).id());
    EventList events = running.client().events(RunningServer.PROJECT, 0, 1000, 0);
    List<Long> numbers = events.events().stream().map(EventView::seq).toList();
    for (int i = 1; i < numbers.size(); i++) {
      assertThat(numbers.get(i)).isEqualTo(numbers.get(i - 1) + 1);
    }
    assertThat(events.events()).extracting(EventView::kind).contains("run.submitted", "run.ended");
  }

  @Test
  void badInputIsAnsweredWithAProblemAndHarmsNothing() throws Exception {
    assertThat(running.request("POST", RUNS, "{", true).statusCode()).isEqualTo(400);
    assertThat(running.request("POST", RUNS, "", true).statusCode()).isEqualTo(400);
    assertThat(running.request("POST", RUNS, "{\"configuration\":{\"type\":\"fleet\"}}", true))
        .satisfies(response -> assertThat(response.statusCode()).isEqualTo(422));
    assertThat(running.request("POST", RUNS, "{\"configuration\":{\"type\":\"service\"}}", true))
        .satisfies(
            response -> {
              assertThat(response.statusCode()).isEqualTo(422);
              assertThat(response.body()).contains("only tasks are supported yet, not service");
            });
    assertThat(
            running
                .request("POST", RUNS, "{\"configuration\":{\"type\":\"task\",\"x\":1}}", true)
                .statusCode())
        .isEqualTo(422);
    assertThat(running.request("POST", RUNS, "{}", true).statusCode()).isLessThan(500);
    assertThat(running.request("POST", RUNS, "[1]", true).statusCode()).isEqualTo(400);
    assertThat(running.request("GET", RUNS + "?limit=0", null, true).statusCode()).isEqualTo(400);
    assertThat(running.request("GET", RUNS + "?cursor=xx", null, true).statusCode()).isEqualTo(400);
    assertThat(running.request("GET", RUNS + "/none/logs/stdout", null, true).statusCode())
        .isEqualTo(404);
    assertThat(running.request("GET", "/api/v1/nothing", null, true).statusCode()).isEqualTo(404);
    assertThat(running.client().list(RunningServer.PROJECT, true, 10, null).runs()).isEmpty();
  }

  @Test
  void theOpenApiDocumentHasEveryRouteAndResolvesItsReferences() throws Exception {
    HttpResponse<String> response = running.request("GET", "/api/v1/openapi.json", null, true);
    JsonNode document = ApiJson.MAPPER.readTree(response.body());
    assertThat(document.get("openapi").asString()).isEqualTo("3.1.0");
    assertThat(document.get("paths").propertyNames())
        .contains(RUNS.replace("main", "{project}"), "/api/v1/health");
    document
        .findValuesAsString("$ref")
        .forEach(
            reference ->
                assertThat(document.at(reference.substring(1)).isMissingNode())
                    .as(reference)
                    .isFalse());
  }

  @Test
  void aRestartedServerKnowsItsRuns() throws IOException {
    running.outputOf(running.submit(RunningServer.task("before", "echo kept")).id());
    running.close();
    running = new RunningServer(home);
    assertThat(new String(running.outputOf("before"), StandardCharsets.UTF_8)).isEqualTo("kept\n");
  }
}
