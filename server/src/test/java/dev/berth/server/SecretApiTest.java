package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.AccessClient;
import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.ledger.LedgerException;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.SecretRequest;
import dev.berth.model.api.SecretView;
import dev.berth.model.testing.FilesThatAreThere;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of projects, through the API of a real server. */
@Timeout(180)
class SecretApiTest {
  private static final String PROJECT = RunningServer.PROJECT;
  private static final String CANARY = "canary-4711";
  private static final String FIRST_KEY = "A".repeat(43) + "=";
  private static final String SECOND_KEY = "B".repeat(42) + "A=";

  @TempDir Path home = Path.of("");

  private static RunRequest task(String name, Map<String, Object> more, String... commands) {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task(name, commands).configuration());
    configuration.putAll(more);
    return new RunRequest(name, configuration);
  }

  private void keys(String... keys) throws IOException {
    StringBuilder text = new StringBuilder("encryption:\n  keys:\n");
    for (int i = 0; i < keys.length; i++) {
      text.append("    - {type: aes, name: key").append(i).append(", secret: ").append(keys[i]);
      text.append("}\n");
    }
    Files.writeString(home.resolve("server.yml"), text);
  }

  private List<Path> holding(String word) throws IOException {
    return FilesThatAreThere.saying(home, List.of(word));
  }

  @Test
  void aSecretIsKeptAndItsValueIsShownOnlyToWhoAsksForIt() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      AccessClient access = server.client().access();
      SecretView made = access.putSecret(PROJECT, new SecretRequest("hub-token", "first"));
      SecretView changed = access.putSecret(PROJECT, new SecretRequest("hub-token", CANARY));
      assertThat(changed.createdAt()).isEqualTo(made.createdAt());
      assertThat(access.secrets(PROJECT).secrets()).containsExactly(changed);
      assertThat(access.secret(PROJECT, "hub-token")).isEqualTo(changed);
      assertThat(access.revealSecret(PROJECT, "hub-token").value()).isEqualTo(CANARY);
      access.deleteSecret(PROJECT, "hub-token");
      assertThatThrownBy(() -> access.secret(PROJECT, "hub-token"))
          .hasMessageContaining("there is no secret 'hub-token'");
      List<EventView> events = server.client().events(PROJECT, 0, 100, 0).events();
      assertThat(events)
          .extracting(EventView::kind)
          .containsSubsequence(
              "secret.created", "secret.updated", "secret.revealed", "secret.deleted");
      assertThat(events.toString()).doesNotContain(CANARY);
      assertThat(holding(CANARY)).isEmpty();
    }
  }

  @Test
  void whatCannotBeKeptIsRefusedWithTheField() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      AccessClient access = server.client().access();
      assertThatThrownBy(() -> access.putSecret(PROJECT, new SecretRequest("a b", "word")))
          .hasMessageContaining("name");
      for (String value : List.of("", "a\0b", "x".repeat(64 * 1024 + 1))) {
        assertThatThrownBy(() -> access.putSecret(PROJECT, new SecretRequest("x", value)))
            .isInstanceOf(ClientException.class)
            .hasMessageContaining("value");
      }
      access.putSecret(PROJECT, new SecretRequest("x", "x".repeat(64 * 1024)));
    }
  }

  @Test
  void aRunGetsItAndItsOutputHidesIt() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      server.client().access().putSecret(PROJECT, new SecretRequest("hub", CANARY));
      RunRequest request =
          task(
              "uses",
              Map.of("env", Map.of("KEY", "key=${{ secrets.hub }}")),
              "echo \"$KEY ${#KEY}\"",
              "echo \"cmd ${{ secrets.hub }}\"");
      server.submit(request);
      String output = new String(server.outputOf("uses"), StandardCharsets.UTF_8);
      assertThat(output).isEqualTo("key=**** 15\ncmd ****\n");
      BerthClient.Range range =
          server.client().log(PROJECT, "uses", BerthClient.Source.FIRST_NODE, "stdout", 6);
      assertThat(new String(range.bytes(), StandardCharsets.UTF_8)).doesNotContain("nary");
      assertThat(server.client().get(PROJECT, "uses").toString())
          .contains("${{ secrets.hub }}")
          .doesNotContain(CANARY);
      assertThat(holding(CANARY)).isEmpty();
    }
  }

  @Test
  void aSecretThatIsNotThereIsRefusedWithItsField() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      RunRequest request =
          task(
              "uses",
              Map.of("env", Map.of("KEY", "${{ secrets.none }}")),
              "echo ${{ secrets.no }}");
      assertThat(server.client().plan(PROJECT, request).refusals())
          .extracting(problem -> problem.path())
          .containsExactly("env.KEY", "commands[0]");
      assertThatThrownBy(() -> server.submit(request))
          .hasMessageContaining("berth secret set none");
    }
  }

  @Test
  void aSecretDeletedBeforeTheStartEndsTheRunAndIsNotTriedAgain() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      server.client().access().putSecret(PROJECT, new SecretRequest("hub", CANARY));
      Path go = home.resolve("go");
      server.submit(task("before", Map.of(), "until [ -e " + go + " ]; do sleep 0.05; done"));
      server.submit(
          task(
              "uses",
              Map.of(
                  "after",
                  List.of("before"),
                  "retry",
                  Map.of("on_events", List.of("error"), "duration", "1h"),
                  "env",
                  Map.of("KEY", "${{ secrets.hub }}")),
              "echo $KEY"));
      server.client().access().deleteSecret(PROJECT, "hub");
      Files.createFile(go);
      server.outputOf("uses");
      var detail = server.client().get(PROJECT, "uses");
      assertThat(detail.attempts()).hasSize(1);
      assertThat(detail.attempts().getFirst().reason()).isEqualTo("missing_secret");
      assertThat(detail.attempts().getFirst().message())
          .contains("there is no secret 'hub' in the project");
      assertThat(detail.run().status()).isEqualTo("failed");
    }
  }

  /** What a runner that was killed has left in the output is hidden for ever. */
  @Test
  void aFormerValueStaysHiddenAfterAKilledRunnerAndARestart() throws IOException {
    Path ready = home.resolve("ready");
    try (RunningServer server = new RunningServer(home)) {
      AccessClient access = server.client().access();
      access.putSecret(PROJECT, new SecretRequest("hub", CANARY));
      access.putSecret(PROJECT, new SecretRequest("other", "not-in-use"));
      server.submit(
          task(
              "uses",
              Map.of("env", Map.of("KEY", "${{ secrets.hub }}")),
              "echo \"it is $KEY\"",
              "touch " + ready,
              "sleep 600"));
      Await.until(() -> Files.exists(ready));
      access.putSecret(PROJECT, new SecretRequest("hub", "rotated-value"));
      runner().destroyForcibly();
      server.outputOf("uses");
      assertThat(holding(CANARY)).as("the runner could not hide it").isNotEmpty();
      access.deleteSecret(PROJECT, "hub");
      access.deleteSecret(PROJECT, "other");
    }
    try (RunningServer server = new RunningServer(home)) {
      assertThat(new String(server.outputOf("uses"), StandardCharsets.UTF_8))
          .isEqualTo("it is ****\n");
      assertThat(server.client().access().secrets(PROJECT).secrets()).isEmpty();
    }
  }

  private ProcessHandle runner() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      Path file = files.filter(path -> path.endsWith("runner")).findFirst().orElseThrow();
      long pid = Long.parseLong(Files.readString(file).strip().split(" ")[0]);
      return ProcessHandle.of(pid).orElseThrow();
    }
  }

  @Test
  void aNewKeyTakesOverAndTheOldOneCanGoAfterwards() throws IOException {
    keys(FIRST_KEY);
    Path backend = home.resolve("server/backends/cloud@main.json");
    try (RunningServer server = new RunningServer(home)) {
      server.client().access().putSecret(PROJECT, new SecretRequest("hub", CANARY));
      server
          .client()
          .addBackend(
              PROJECT,
              new BackendRequest(
                  "cloud", "sim", Map.of("creds", Map.of("type", "api_key", "api_key", CANARY))));
    }
    assertThat(ServerKeys.file(home)).doesNotExist();
    String before = Files.readString(backend);
    assertThat(before).contains("sealed").doesNotContain(CANARY);
    keys(SECOND_KEY);
    assertThatThrownBy(() -> new RunningServer(home).close())
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("is not there, and")
        .hasMessageContaining("encryption.keys");
    keys(SECOND_KEY, FIRST_KEY);
    try (RunningServer server = new RunningServer(home)) {
      assertThat(server.client().access().revealSecret(PROJECT, "hub").value()).isEqualTo(CANARY);
    }
    assertThat(Files.readString(backend)).isNotEqualTo(before);
    keys(SECOND_KEY);
    try (RunningServer server = new RunningServer(home)) {
      assertThat(server.client().access().revealSecret(PROJECT, "hub").value()).isEqualTo(CANARY);
      assertThat(server.client().backends(PROJECT).backends())
          .anySatisfy(
              view -> {
                assertThat(view.name()).isEqualTo("cloud");
                assertThat(view.status()).isEqualTo("ready");
              });
    }
    assertThat(holding(CANARY)).isEmpty();
  }

  @Test
  void withoutItsKeyFileAServerDoesNotStartAndMakesNoOther() throws IOException {
    new RunningServer(home).close();
    String key = Files.readString(ServerKeys.file(home));
    assertThat(Files.getPosixFilePermissions(ServerKeys.file(home))).hasSize(2);
    Files.delete(ServerKeys.file(home));
    assertThatThrownBy(() -> new RunningServer(home).close())
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining(ServerKeys.file(home).toString());
    assertThat(ServerKeys.file(home)).doesNotExist();
    Files.writeString(ServerKeys.file(home), key);
    new RunningServer(home).close();
  }

  @Test
  void theServersFileMayKeepManagersFromSecrets() throws IOException {
    Files.writeString(
        home.resolve("server.yml"),
        "default_permissions:\n  allow_managers_manage_secrets: false\n");
    try (RunningServer server = new RunningServer(home)) {
      People people = new People(server);
      people.project("lab");
      String manager = people.member("max", "lab", "manager");
      String admin = people.member("ada", "lab", "admin");
      try (Sender sender = new Sender(server.server().url(), "127.0.0.1")) {
        assertThat(sender.send("GET", "/projects/lab/secrets", null, manager).detail())
            .contains("needs the role admin", "allow_managers_manage_secrets");
        assertThat(sender.send("GET", "/projects/lab/secrets", null, admin).status())
            .isEqualTo(200);
      }
    }
  }

  @Test
  void everyLookAtAValueIsAnEventWhateverKeyComesWithIt() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      String token = Files.readString(home.resolve("token")).strip();
      String key = UUID.randomUUID().toString();
      for (String value : List.of("one", "two")) {
        server.client().access().putSecret(PROJECT, new SecretRequest("x", value));
        var request =
            HttpRequest.newBuilder(
                    URI.create(
                        server.server().url()
                            + "/api/v1/projects/"
                            + PROJECT
                            + "/secrets/x/reveal"))
                .header("Authorization", "Bearer " + token)
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try (var http = HttpClient.newHttpClient()) {
          assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).body())
              .contains("\"" + value + "\"");
        }
      }
      assertThat(server.client().events(PROJECT, 0, 100, 0).events())
          .extracting(EventView::kind)
          .filteredOn("secret.revealed"::equals)
          .hasSize(2);
    }
  }

  @Test
  void aRepeatedRequestWithAnotherValueIsRefused() throws Exception {
    try (RunningServer server = new RunningServer(home)) {
      String token = Files.readString(home.resolve("token")).strip();
      String key = UUID.randomUUID().toString();
      List<Integer> statuses = new ArrayList<>();
      for (String value : List.of("one", "one", "two")) {
        var request =
            HttpRequest.newBuilder(
                    URI.create(server.server().url() + "/api/v1/projects/" + PROJECT + "/secrets"))
                .header("Authorization", "Bearer " + token)
                .header("Idempotency-Key", key)
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"name\": \"x\", \"value\": \"" + value + "\"}"))
                .build();
        try (var http = HttpClient.newHttpClient()) {
          statuses.add(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
        }
      }
      assertThat(statuses).containsExactly(200, 200, 422);
      assertThat(server.client().access().revealSecret(PROJECT, "x").value()).isEqualTo("one");
    }
  }
}
