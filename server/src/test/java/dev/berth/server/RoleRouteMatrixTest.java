package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route, for everybody: one table says who is let in. */
class RoleRouteMatrixTest {
  private static final List<String> CALLERS =
      List.of(
          "nobody",
          "wrong",
          "expired",
          "stranger",
          "viewer",
          "user",
          "manager",
          "admin",
          "global",
          "elsewhere",
          "limited");

  /**
   * For each caller, in the order of {@link #CALLERS}: {@code +} is let in, {@code 1} gets 401,
   * {@code 3} gets 403, and {@code 4} is told that there is no such project.
   *
   * <p>All of it is about the project lab: {@code stranger} is not a member of it, {@code global}
   * is a global admin, {@code elsewhere} is its admin with a token for another project, and {@code
   * limited} is its admin with a token of a viewer.
   */
  private static final String TABLE =
      """
      GET /health                                         + + +  + + + + + +  + +
      GET /ready                                          + + +  + + + + + +  + +
      GET /metrics                                        1 1 1  3 3 3 3 3 +  3 3
      GET /doctor                                         1 1 1  3 3 3 3 3 +  3 3
      GET /login                                          + + +  + + + + + +  + +
      POST /login/oidc                                    + + +  + + + + + +  + +
      POST /logout                                        1 1 1  + + + + + +  + +
      GET /info                                           1 1 1  + + + + + +  + +
      GET /events                                         1 1 1  3 3 3 3 3 +  3 3
      GET /users                                          1 1 1  3 3 3 3 3 +  3 3
      POST /users                                         1 1 1  3 3 3 3 3 +  3 3
      POST /users/{user}                                  1 1 1  3 3 3 3 3 +  3 3
      DELETE /users/{user}                                1 1 1  3 3 3 3 3 +  3 3
      GET /projects                                       1 1 1  + + + + + +  + +
      POST /projects                                      1 1 1  3 3 3 3 3 +  3 3
      DELETE /projects/{project}                          1 1 1  4 3 3 3 + +  4 3
      GET /projects/{project}/members                     1 1 1  4 + + + + +  4 +
      POST /projects/{project}/members                    1 1 1  4 3 3 + + +  4 3
      DELETE /projects/{project}/members/{user}           1 1 1  4 3 3 + + +  4 3
      GET /tokens                                         1 1 1  + + + + + +  + +
      POST /tokens                                        1 1 1  + + + + + +  3 3
      DELETE /tokens/{token}                              1 1 1  + + + + + +  3 3
      GET /projects/{project}/secrets                     1 1 1  4 3 3 + + +  4 3
      POST /projects/{project}/secrets                    1 1 1  4 3 3 + + +  4 3
      GET /projects/{project}/secrets/{secret}            1 1 1  4 3 3 + + +  4 3
      POST /projects/{project}/secrets/{secret}/reveal    1 1 1  4 3 3 3 + +  4 3
      DELETE /projects/{project}/secrets/{secret}         1 1 1  4 3 3 + + +  4 3
      GET /projects/{project}/runs                        1 1 1  4 + + + + +  4 +
      POST /projects/{project}/runs                       1 1 1  4 3 + + + +  4 3
      POST /projects/{project}/runs/plan                  1 1 1  4 + + + + +  4 +
      POST /projects/{project}/runs/explain               1 1 1  4 + + + + +  4 +
      GET /projects/{project}/runs/{run}                  1 1 1  4 + + + + +  4 +
      GET /projects/{project}/runs/{run}/explain          1 1 1  4 + + + + +  4 +
      GET /projects/{project}/runs/{run}/usage            1 1 1  4 + + + + +  4 +
      GET /projects/{project}/runs/{run}/progress         1 1 1  4 + + + + +  4 +
      POST /projects/{project}/runs/{run}/stop            1 1 1  4 3 + + + +  4 3
      DELETE /projects/{project}/runs/{run}               1 1 1  4 3 + + + +  4 3
      GET /projects/{project}/runs/{run}/logs/{stream}    1 1 1  4 + + + + +  4 +
      GET /projects/{project}/runs/{run}/follow           1 1 1  4 + + + + +  4 +
      GET /projects/{project}/runs/{run}/exec             1 1 1  4 3 + + + +  4 3
      GET /projects/{project}/runs/{run}/connect/{port}   1 1 1  4 3 + + + +  4 3
      GET /projects/{project}/fleets                      1 1 1  4 + + + + +  4 +
      POST /projects/{project}/fleets                     1 1 1  4 3 + + + +  4 3
      POST /projects/{project}/fleets/plan                1 1 1  4 + + + + +  4 +
      GET /projects/{project}/fleets/{fleet}              1 1 1  4 + + + + +  4 +
      DELETE /projects/{project}/fleets/{fleet}           1 1 1  4 3 + + + +  4 3
      POST /projects/{project}/offers                     1 1 1  4 + + + + +  4 +
      GET /projects/{project}/events                      1 1 1  4 + + + + +  4 +
      GET /backend-types                                  1 1 1  + + + + + +  + +
      GET /projects/{project}/backends                    1 1 1  4 + + + + +  4 +
      POST /projects/{project}/backends                   1 1 1  4 3 3 3 3 +  4 3
      POST /projects/{project}/backends/suggest           1 1 1  4 3 3 3 3 +  4 3
      POST /projects/{project}/backends/{backend}/check   1 1 1  4 3 3 3 + +  4 3
      DELETE /projects/{project}/backends/{backend}       1 1 1  4 3 3 3 3 +  4 3
      POST /projects/{project}/uploads                    1 1 1  4 3 + + + +  4 3
      PUT /projects/{project}/uploads/chunks/{chunk}      1 1 1  4 3 + + + +  4 3
      """;

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer running;

  private final Map<String, @Nullable String> tokens = new LinkedHashMap<>();

  @BeforeEach
  void start() throws IOException {
    running = new RunningServer(home);
    People people = new People(running);
    people.project("lab");
    people.project("other");
    tokens.put("nobody", null);
    tokens.put("wrong", "berth_wrong");
    tokens.put("stranger", people.member("stranger", "other", "admin"));
    for (String role : List.of("viewer", "user", "manager", "admin")) {
      tokens.put(role, people.member("the-" + role, "lab", role));
    }
    tokens.put("global", people.user("global", "admin"));
    people.join("the-admin", "other", "admin");
    tokens.put("elsewhere", people.token("the-admin", "elsewhere", "other", null, null));
    tokens.put("limited", people.token("the-admin", "limited", null, "viewer", null));
    tokens.put("expired", people.token("the-admin", "short", null, null, 1L));
    // Something that keeps the project from being deleted by those who may.
    running
        .client()
        .submit(
            "lab",
            new RunRequest(
                "later",
                Map.of(
                    "type",
                    "task",
                    "name",
                    "later",
                    "commands",
                    List.of("true"),
                    "schedule",
                    Map.of("cron", List.of("0 0 1 1 *")))),
            "once");
    try (Sender sender = sender("127.0.2.1")) {
      Await.until(() -> sender.send("GET", "/info", null, tokens.get("expired")).status() == 401);
    }
  }

  private Sender sender(String address) {
    return new Sender(running.server().url(), address);
  }

  @AfterEach
  void stop() {
    running.close();
  }

  /** What the table says, by route. */
  private static Map<String, List<String>> table() {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (String line : TABLE.strip().split("\n", -1)) {
      List<String> words = List.of(line.strip().split("\\s+", -1));
      lines.put(words.get(0) + " " + words.get(1), words.subList(2, words.size()));
    }
    return lines;
  }

  @Test
  void everyRouteLetsInWhoTheTableSaysAndNobodyElse() {
    Map<String, List<String>> table = table();
    List<String> routes =
        running.server().routes().stream()
            .map(route -> route.method() + " " + route.path())
            .toList();
    assertThat(table.keySet()).containsExactlyInAnyOrderElementsOf(routes);
    assertThat(tokens.keySet()).containsExactlyInAnyOrderElementsOf(CALLERS);
    List<Route<?, ?>> order = new ArrayList<>(running.server().routes());
    // This one ends the token with which the others are asked.
    order.sort(Comparator.comparing(route -> route.path().equals("/logout")));
    List<String> wrong = new ArrayList<>();
    for (int column = 0; column < CALLERS.size(); column++) {
      String caller = CALLERS.get(column);
      int number = 0;
      for (Route<?, ?> route : order) {
        String key = route.method() + " " + route.path();
        String expected = Objects.requireNonNull(table.get(key)).get(column);
        // An address for each few, because many failures keep one out.
        String address = "127.0." + (10 + column) + "." + (1 + number++ / 5);
        try (Sender sender = sender(address)) {
          String got = outcome(send(sender, route, tokens.get(caller)));
          if (!got.equals(expected)) {
            wrong.add(key + " for " + caller + ": " + got + " instead of " + expected);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static Sender.Answer send(Sender sender, Route<?, ?> route, @Nullable String token) {
    String path =
        route
            .path()
            .replace("{project}", "lab")
            .replace("{stream}", "stdout")
            .replaceAll("\\{[a-z]+}", "none");
    return sender.send(route.method().name(), path, route.request() == null ? null : "{}", token);
  }

  private static String outcome(Sender.Answer answer) {
    return switch (answer.status()) {
      case 401 -> "1";
      case 403 -> "3";
      case 404 -> answer.detail().startsWith("there is no project") ? "4" : "+";
      case 200, 201, 400, 409, 422, 426 -> "+";
      default -> answer.status() + " " + answer.body();
    };
  }

  @Test
  void aRefusalSaysWhichRoleIsNeededAndWhoCanGiveIt() {
    try (Sender sender = sender("127.0.0.1")) {
      assertThat(sender.send("POST", "/projects/lab/runs", "{}", tokens.get("viewer")).detail())
          .isEqualTo(
              "this needs the role user in the project 'lab', and you are a viewer there; a manager"
                  + " or admin of the project, or a global admin, can give it to you");
      assertThat(sender.send("DELETE", "/projects/lab", null, tokens.get("manager")).detail())
          .contains("role admin", "an admin of the project or a global admin can give it");
      assertThat(sender.send("POST", "/projects/lab/runs", "{}", tokens.get("limited")).detail())
          .contains("your token is limited to viewer");
      assertThat(sender.send("GET", "/users", null, tokens.get("admin")).detail())
          .contains("needs a global admin", "another global admin can make you one");
    }
  }

  /** A body without what tells one request from another. */
  private static String withoutRequest(Sender.Answer answer) {
    return answer.body().replaceAll("\"request_id\":\"[^\"]*\"", "");
  }

  @Test
  void aProjectThatIsNotThereAndOneOfOthersCannotBeToldApart() {
    try (Sender sender = sender("127.0.0.1")) {
      for (String caller : List.of("stranger", "elsewhere")) {
        for (Route<?, ?> route : running.server().routes()) {
          if (route.path().contains("{project}")) {
            Sender.Answer there = send(sender, route, tokens.get(caller));
            Sender.Answer missing =
                sender.send(
                    route.method().name(),
                    route.path().replace("{project}", "gone").replaceAll("\\{[a-z]+}", "none"),
                    route.request() == null ? null : "{}",
                    tokens.get(caller));
            assertThat(there.status()).isEqualTo(404).isEqualTo(missing.status());
            assertThat(withoutRequest(there).replace("lab", "gone"))
                .isEqualTo(withoutRequest(missing));
          }
        }
      }
    }
  }
}
