package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A secret that can be told from all other words is kept, used and printed, and then looked for
 * wherever Berth writes or shows anything.
 */
@Timeout(900)
class SecretCanaryTest {
  /** Another one each time: other builds on this machine look for theirs, and leave it in sight. */
  private static final String UNIQUE = "%08x".formatted(new SplittableRandom().nextInt());

  private static final String CANARY = "Canary/+" + UNIQUE;
  private static final String CREDENTIAL = "Credential.5d2e/04+b";
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private TestHome home;
  private final List<String> shown = new ArrayList<>();

  @BeforeEach
  void open() {
    home = TestHome.fresh();
  }

  @AfterEach
  void close() {
    home.close();
  }

  private FinishedCommand berth(String... arguments) {
    FinishedCommand command = home.berth(arguments);
    shown.add(command.out() + command.err());
    return command;
  }

  private void keep() {
    Path value = home.file("value", CANARY);
    berth("secret", "set", "canary", "--value-file", value.toString()).expect(0);
  }

  private static List<String> commandLines(String word) {
    return ProcessTable.mentioning(word).stream()
        .map(ProcessTable.Entry::command)
        .filter(command -> command.contains(word))
        .toList();
  }

  /** What every route that only reads answers about what is there. */
  private List<String> answers(String run) throws IOException, InterruptedException {
    String url = home.embedded().orElseThrow().get("url").asString();
    String token = Files.readString(home.folder().resolve("token")).strip();
    List<String> answers = new ArrayList<>();
    try (HttpClient http = HttpClient.newHttpClient()) {
      JsonNode paths = MAPPER.readTree(get(http, url + "/api/v1/openapi.json", token)).get("paths");
      for (Map.Entry<String, JsonNode> path : paths.properties()) {
        if (path.getValue().get("get") == null) {
          continue;
        }
        for (String stream : List.of("stdout", "stderr")) {
          String filled =
              path.getKey()
                  .replace("{project}", "main")
                  .replace("{run}", run)
                  .replace("{secret}", "canary")
                  .replace("{backend}", "cloud")
                  .replace("{stream}", stream)
                  .replaceAll("\\{[a-z]+}", "none");
          String base = filled.startsWith("/api/v1") ? "" : "/api/v1";
          answers.add(get(http, url + base + filled + "?all=true", token));
        }
      }
    }
    return answers;
  }

  private static String get(HttpClient http, String url, String token)
      throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + token)
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void nobodySeesASecretThatARunHasAndPrints() throws Exception {
    keep();
    home.file("cloud.yml", "type: sim\ncreds:\n  type: api_key\n  api_key: " + CREDENTIAL + "\n");
    berth("backend", "add", "cloud", "-f", "cloud.yml").expect(0);
    Path started = home.scratch().resolve("started");
    Path go = home.scratch().resolve("go");
    Path task =
        home.task(
            "prints",
            "backends: [local]\nenv:\n  KEY: key ${{ secrets.canary }}",
            """
            echo "out $KEY ${{ secrets.canary }}"
            echo "err ${{ secrets.canary }}" >&2
            touch %s
            until [ -e %s ]; do sleep 0.05; done
            """
                .formatted(started, go));
    berth("apply", "-y", "-d", "-f", task.toString()).expect(0);
    Await.until("the start of the job", () -> Files.exists(started));
    assertThat(commandLines(CANARY)).isEmpty();
    assertThat(berth("logs", "prints").expect(0).out()).isEqualTo("out key **** ****\n");
    Files.createFile(go);
    home.awaitEnd("prints");
    Path pulled =
        home.task(
            "pulls",
            "backends: [cloud]\nimage: private/image\nregistry_auth:\n  username: me\n"
                + "  password: ${{ secrets.canary }}\nenv:\n  KEY: ${{ secrets.canary }}",
            "echo \"$KEY\"");
    berth("apply", "-y", "-f", pulled.toString()).expect(0);
    for (String run : List.of("prints", "pulls")) {
      berth("logs", run).expect(0);
      berth("explain", run);
      shown.addAll(answers(run));
    }
    berth("secret", "list", "--json").expect(0);
    berth("secret", "get", "canary").expect(0);
    berth("event", "-a", "--json").expect(0);
    berth("backend", "list", "--json").expect(0);
    berth("ps", "-a", "--json").expect(0);
    assertThat(shown).hasSizeGreaterThan(40);
    assertThat(String.join("\n", shown)).doesNotContain(CANARY).doesNotContain(CREDENTIAL);
    assertThat(home.holding(CANARY)).isEmpty();
    assertThat(home.holding(CREDENTIAL)).isEmpty();
    // The write-ahead log of the database goes into it when the server ends.
    home.killServer();
    assertThat(home.holding(CANARY)).isEmpty();
    assertThat(home.berth("secret", "get", "canary", "--reveal").expect(0).out())
        .isEqualTo(CANARY + "\n");
  }

  @Test
  void nobodySeesTheTokenInTheAddressOfARepository() throws Exception {
    String token = "ghp_canary" + UNIQUE;
    Path clone = home.scratch().resolve("clone");
    Path remote = home.scratch().resolve("remote.git");
    git(
        """
        git init -q --bare -b main %1$s && git clone -q %1$s %2$s && cd %2$s &&
        git checkout -q -b main && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a &&
        git push -q origin main && git remote set-url origin http://%3$s@127.0.0.1:9/train.git
        """
            .formatted(remote, clone, token));
    Path task = home.task("clones", "repos:\n  - local_path: " + clone, "true");
    FinishedCommand apply = berth("apply", "-y", "-f", task.toString());
    assertThat(apply.err())
        .contains("contains credentials, which are not sent")
        .contains("berth: http://127.0.0.1:9/train.git at ")
        .contains("http://127.0.0.1:9/train.git could not be cloned");
    Path named =
        home.task("named", "repos:\n  - url: http://" + token + "@127.0.0.1:9/train.git", "true");
    assertThat(berth("apply", "-y", "-f", named.toString()).err())
        .contains("repos[0].url")
        .contains("write token: ${{ secrets.NAME }}");
    berth("logs", "clones");
    shown.addAll(answers("clones"));
    berth("event", "-a", "--json").expect(0);
    assertThat(String.join("\n", shown)).doesNotContain(token);
    assertThat(commandLines(token)).isEmpty();
    Files.delete(named);
    Files.delete(clone.resolve(".git/config"));
    assertThat(home.holding(token)).isEmpty();
    home.killServer();
    assertThat(home.holding(token)).isEmpty();
  }

  private void git(String script) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-e", "-c", script)
            .directory(home.scratch().toFile())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
  }

  @Test
  void theSearchFindsWhatARunGivesAway() throws Exception {
    keep();
    Path task =
        home.task(
            "leaks",
            "env:\n  KEY: ${{ secrets.canary }}",
            "printf %s \"$KEY\" > leaked\nsh -c 'sleep 100' \"$KEY\"");
    berth("apply", "-y", "-d", "-f", task.toString()).expect(0);
    Await.until("the leak", () -> !commandLines(CANARY).isEmpty());
    assertThat(home.holding(CANARY)).hasSize(1).first().asString().endsWith("/work/leaked");
    berth("stop", "-x", "leaks").expect(0);
    home.awaitEnd("leaks");
  }
}
