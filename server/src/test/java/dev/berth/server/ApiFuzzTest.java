package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.RunDetail;
import dev.berth.model.api.SecretRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
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
    return soak.isEmpty() ? 6 : 20 * Integer.parseInt(soak);
  }

  @Test
  void noRequestMakesTheServerFailOrShowsWhatBelongsToOthers() throws Exception {
    long seed = new SplittableRandom().nextLong();
    System.out.println("ApiFuzzTest seed " + seed);
    RunDetail before = server.client().get("others", CANARY);
    List<String> words = new ArrayList<>(ODD);
    words.addAll(List.of("lab", "lab", "lab", "main", "others", CANARY, before.run().id()));
    words.addAll(List.of("ann", "eve", "admin", "stdout", "local", "token", "run", "all"));
    RandomRequests requests =
        new RandomRequests(
            ApiJson.MAPPER.readTree(
                server.request("GET", "/api/v1/openapi.json", null, false).body()),
            words,
            seed);
    int sent = 0;
    for (Map.Entry<String, String> who : tokens.entrySet()) {
      try (Sender sender = new Sender(server.server().url(), who.getKey())) {
        for (int round = 0; round < rounds(); round++) {
          for (RandomRequests.Operation operation : requests.operations()) {
            RandomRequests.Request request = requests.next(operation);
            Sender.Answer answer =
                sender.send(
                    request.method(),
                    request.path().substring("/api/v1".length()),
                    request.body(),
                    round % 5 == 4 ? null : who.getValue());
            sent++;
            assertThat(answer.status())
                .as("seed %d: %s\n%s", seed, request, answer.body())
                .isLessThan(500);
            // What a request names itself may stand in its answer.
            if (!String.valueOf(request.body()).contains(CANARY)
                && !request.path().contains(CANARY)) {
              assertThat(answer.body()).as("seed %d: %s", seed, request).doesNotContain(CANARY);
            }
            assertThat(answer.body())
                .as("seed %d: %s", seed, request)
                .doesNotContain(CANARY + "-secret");
          }
        }
      }
    }
    System.out.println("ApiFuzzTest: " + sent + " requests");
    assertThat(server.client().get("others", CANARY)).as("seed %d", seed).isEqualTo(before);
    server.submit(RunningServer.task("after", "echo fine"));
    assertThat(new String(server.outputOf("after"), StandardCharsets.UTF_8)).isEqualTo("fine\n");
  }
}
