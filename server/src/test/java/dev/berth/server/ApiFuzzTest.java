package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.RunDetail;
import dev.berth.model.api.SecretRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests made from the server's own description of its API, most of them wrong: none makes the
 * server fail, none shows what belongs to others, and none harms what is there.
 */
@Timeout(1800)
class ApiFuzzTest {
  private static final String CANARY = "canary-of-others";
  private static final List<String> ODD =
      List.of(
          "..",
          "../../etc/passwd",
          "a/b",
          "%00",
          "\u0000",
          " ",
          "é\u202Eü",
          "x".repeat(3000),
          "-1",
          "null",
          "{project}",
          "'; DROP TABLE realm; --");

  /** What a global admin may do and this test could not go on after. */
  private static final Map<String, String> ENDS_THE_TEST =
      Map.of(
          "DELETE /api/v1/projects/{project}/runs/{run}", "the run of others would be gone",
          "POST /api/v1/projects/{project}/members", "the members of others would be other ones",
          "DELETE /api/v1/projects/{project}/members/{user}", "the same",
          "POST /api/v1/projects/{project}/secrets", "the secret of others would be another one",
          "DELETE /api/v1/projects/{project}/secrets/{secret}", "the secret would be gone",
          "POST /api/v1/users/{user}", "the admin who looks in the end would be none any more",
          "DELETE /api/v1/users/{user}", "the same");

  /** What leaves whoever did it without a token, or without a project, for all that follows. */
  private static final Set<String> ENDS_THE_CALLER =
      Set.of("POST /api/v1/logout", "DELETE /api/v1/projects/{project}");

  private static final String GLOBAL = "127.0.6.5";

  @TempDir Path home;
  private RunningServer server;
  private final Map<String, String> tokens = new LinkedHashMap<>();

  @BeforeEach
  void start() throws Exception {
    server = new RunningServer(home);
    People people = new People(server);
    people.project("lab");
    people.project("others");
    tokens.put("127.0.6.1", people.member("ann", "lab", "admin"));
    tokens.put("127.0.6.2", people.member("ben", "lab", "viewer"));
    tokens.put("127.0.6.3", people.user("eve", "user"));
    tokens.put("127.0.6.4", "wrong");
    // The last one, because what it makes others may see.
    tokens.put(GLOBAL, people.user("root", "admin"));
    server.client().submit("others", RunningServer.task(CANARY, "echo " + CANARY), "one");
    RunningServer.outputOf(server.client(), "others", CANARY);
    server.client().access().putSecret("others", new SecretRequest("token", CANARY + "-secret"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static int rounds() {
    String soak = System.getProperty("berth.soak", "").strip();
    return soak.isEmpty() ? 5 : 20 * Integer.parseInt(soak);
  }

  @Test
  void noRequestMakesTheServerFailOrShowsWhatBelongsToOthers() throws Exception {
    long seed = new SplittableRandom().nextLong();
    System.out.println("ApiFuzzTest seed " + seed);
    RunDetail before = server.client().get("others", CANARY);
    String members = shown("/projects/others/members");
    List<String> others = shownOfOthers();
    List<String> words = new ArrayList<>(ODD);
    words.addAll(List.of("lab", "lab", "lab", "main", "others", CANARY, before.run().id()));
    words.addAll(List.of("ann", "eve", "admin", "stdout", "local", "token", "run", "sim"));
    RandomRequests requests =
        new RandomRequests(
            ApiJson.MAPPER.readTree(
                server.request("GET", "/api/v1/openapi.json", null, false).body()),
            words,
            seed);
    int sent = 0;
    Map<Integer, Integer> answers = new TreeMap<>();
    for (Map.Entry<String, String> who : tokens.entrySet()) {
      boolean global = who.getKey().equals(GLOBAL);
      if (global) {
        assertThat(shownOfOthers()).as("seed %d", seed).isEqualTo(others);
      }
      try (Sender sender = new Sender(server.server().url(), who.getKey())) {
        for (int round = 0; round < rounds(); round++) {
          for (RandomRequests.Operation operation : requests.operations()) {
            String name = operation.method() + " " + operation.path();
            if (ENDS_THE_CALLER.contains(name) || (global && ENDS_THE_TEST.containsKey(name))) {
              continue;
            }
            RandomRequests.Request request = requests.next(operation);
            Sender.Answer answer =
                sender.send(
                    request.method(),
                    request.path().substring("/api/v1".length()),
                    request.body(),
                    round % 5 == 4 ? null : who.getValue());
            sent++;
            answers.merge(answer.status(), 1, Integer::sum);
            assertThat(answer.status())
                .as("seed %d: %s\n%s", seed, request, answer.body())
                .isLessThan(500);
            // What a request names itself may stand in its answer, and admins may see all.
            if (!global
                && !String.valueOf(request.body()).contains(CANARY)
                && !request.path().contains(CANARY)) {
              assertThat(answer.body()).as("seed %d: %s", seed, request).doesNotContain(CANARY);
            }
            assertThat(global && request.path().contains("/reveal") ? "" : answer.body())
                .as("seed %d: %s", seed, request)
                .doesNotContain(CANARY + "-secret");
          }
        }
      }
    }
    System.out.println("ApiFuzzTest: " + sent + " requests, answered " + answers);
    assertThat(shown("/projects/others/members")).as("seed %d", seed).isEqualTo(members);
    assertThat(server.client().access().revealSecret("others", "token").value())
        .as("seed %d", seed)
        .isEqualTo(CANARY + "-secret");
    assertThat(server.client().get("others", CANARY)).as("seed %d", seed).isEqualTo(before);
    server.submit(RunningServer.task("after", "echo fine"));
    assertThat(new String(server.outputOf("after"), StandardCharsets.UTF_8)).isEqualTo("fine\n");
  }

  /** All that could be changed of the project of others, and of who may do what. */
  private List<String> shownOfOthers() throws Exception {
    List<String> answers = new ArrayList<>();
    for (String path : List.of("runs?all=true", "fleets", "members", "secrets", "backends")) {
      answers.add(shown("/projects/others/" + path));
    }
    // Not the whole page: how far events were looked for moves with those of everybody.
    answers.add(server.client().events("others", 0, 1000, 0).events().toString());
    answers.add(shown("/projects"));
    answers.add(shown("/users"));
    return answers;
  }

  private String shown(String path) throws Exception {
    HttpResponse<String> answer = server.request("GET", "/api/v1" + path, null, true);
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    return answer.body();
  }
}
