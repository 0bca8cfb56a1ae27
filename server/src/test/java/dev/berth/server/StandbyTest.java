package dev.berth.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.PostgresAddress;
import dev.berth.ledger.PostgresLedger;
import dev.berth.ledger.Tenure;
import dev.berth.model.api.OidcLoginRequest;
import dev.berth.model.api.RunView;
import dev.berth.server.blobs.BlobException;
import dev.berth.server.oidc.SigningKey;
import dev.berth.server.oidc.TestIssuer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that stand in for each other, on a real PostgreSQL. */
@Timeout(180)
class StandbyTest {
  private static EmbeddedPostgres postgres;

  @TempDir Path first;
  @TempDir Path second;
  @TempDir Path shared;

  @BeforeAll
  static void start() throws IOException {
    postgres = TestPostgres.start();
  }

  @AfterAll
  static void stop() throws IOException {
    if (postgres != null) {
      postgres.close();
    }
  }

  @BeforeEach
  void empty() throws Exception {
    // Servers of one database keep uploads in one place.
    for (Path home : List.of(first, second)) {
      Files.writeString(home.resolve("server.yml"), "blobs: {folder: " + shared + "}\n");
    }
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA public CASCADE");
      statement.execute("CREATE SCHEMA public");
    }
    // Servers that stand in for each other have the same key.
    for (Path home : List.of(first, second)) {
      Files.createDirectories(home.resolve("server"));
      Files.writeString(ServerKeys.file(home), "0badcafe".repeat(8));
    }
  }

  private static String address() {
    return TestPostgres.address(postgres);
  }

  private static Map<String, String> environment() {
    return TestPostgres.environment(postgres);
  }

  /** A second server in a thread of its own, with the address where it stands by. */
  private record Waiting(
      CompletableFuture<String> standsBy, CompletableFuture<RunningServer> active) {
    RunningServer await() throws InterruptedException, ExecutionException, TimeoutException {
      return active.get(60, TimeUnit.SECONDS);
    }
  }

  private static Waiting startAnother(Path home) {
    CompletableFuture<String> standsBy = new CompletableFuture<>();
    CompletableFuture<RunningServer> active = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                active.complete(
                    new RunningServer(home, environment(), (url, _) -> standsBy.complete(url)));
              } catch (IOException | RuntimeException e) {
                active.completeExceptionally(e);
                standsBy.completeExceptionally(e);
              }
            });
    return new Waiting(standsBy, active);
  }

  private static String answer(String question) throws SQLException {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement();
        var result = statement.executeQuery(question)) {
      return result.next() ? String.valueOf(result.getString(1)) : "";
    }
  }

  private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void whoComesSecondStandsByAndTakesOverWhenTheFirstLeaves() throws Exception {
    Waiting waiting;
    try (RunningServer server = new RunningServer(first, environment(), (_, _) -> {})) {
      server.submit(RunningServer.task("one", "echo hi"));
      assertThat(new String(server.outputOf("one"), UTF_8)).isEqualTo("hi\n");
      waiting = startAnother(second);
      String url = waiting.standsBy().get(60, TimeUnit.SECONDS);
      assertThat(get(url + "/api/v1/health").body()).contains("standby");
      assertThat(get(url + "/api/v1/projects/main/runs").statusCode()).isEqualTo(401);
      assertThat(waiting.active()).isNotDone();
    }
    try (RunningServer server = waiting.await()) {
      assertThat(server.server().url()).isEqualTo(waiting.standsBy().get());
      assertThat(server.client().get(RunningServer.PROJECT, "one").run().status())
          .isEqualTo("done");
      server.submit(RunningServer.task("two", "echo again"));
      server.outputOf("two");
      assertThat(server.client().get(RunningServer.PROJECT, "two").run().status())
          .isEqualTo("done");
    }
    assertThat(Files.readString(second.resolve("server/installation")).strip())
        .as("both mark what they make in the same way")
        .isEqualTo(Files.readString(first.resolve("server/installation")).strip().substring(0, 16));
    assertThat(second.resolve("server/ssh.key"))
        .as("both log in to machines in the same way")
        .hasSameTextualContentAs(first.resolve("server/ssh.key"));
  }

  @Test
  void serverThatStandsByAnswersEverything() throws Exception {
    Waiting waiting;
    try (RunningServer active = new RunningServer(first, environment(), (_, _) -> {})) {
      waiting = startAnother(second);
      String url = waiting.standsBy().get(60, TimeUnit.SECONDS);
      String token = Files.readString(second.resolve("token")).strip();
      try (BerthClient client = new BerthClient(url, token)) {
        RunView submitted =
            client.submit(
                RunningServer.PROJECT, RunningServer.task("one", "echo hi; echo no >&2"), "key");
        assertThat(
                client
                    .submit(
                        RunningServer.PROJECT,
                        RunningServer.task("one", "echo hi; echo no >&2"),
                        "key")
                    .id())
            .as("the same key, the same run")
            .isEqualTo(submitted.id());
        assertThat(active.client().get(RunningServer.PROJECT, "one").run().user())
            .isEqualTo("admin");
        assertThat(new String(RunningServer.outputOf(client, "one"), UTF_8)).isEqualTo("hi\n");
        assertThat(client.get(RunningServer.PROJECT, "one").run().status()).isEqualTo("done");
        assertThat(client.progress(RunningServer.PROJECT, "one").status()).isEqualTo("done");
        assertThat(client.list(RunningServer.PROJECT, true, 10, null).runs()).hasSize(1);
        assertThat(client.plan(RunningServer.PROJECT, RunningServer.task("two", "true")).offers())
            .isNotEmpty();
        assertThat(client.events(RunningServer.PROJECT, 0, 10, 0).events()).isNotEmpty();
        assertThatThrownBy(() -> client.stop(RunningServer.PROJECT, "none", false))
            .hasMessageContaining("there is no run 'none'");
        assertThatThrownBy(
                () ->
                    client.exec(
                        RunningServer.PROJECT,
                        "one",
                        BerthClient.Source.FIRST_NODE,
                        List.of("true"),
                        new JobStreams.Result()))
            .hasMessageContaining("this server is a standby")
            .hasMessageContaining(answer("SELECT owner FROM realm"));
        assertThatThrownBy(
                () ->
                    client.submit(
                        RunningServer.PROJECT,
                        RunningServer.task("bad name!", "true"),
                        "third key"))
            .isInstanceOfSatisfying(
                ClientException.class, e -> assertThat(e.status()).isEqualTo(422));
      }
      assertThat(get(url + "/api/v1/openapi.json").body()).contains("/runs/plan");
      assertThat(get(url + "/api/v1/users").statusCode()).isEqualTo(401);
      try (BerthClient stranger = new BerthClient(url, "wrong")) {
        assertThatThrownBy(
                () -> stranger.plan(RunningServer.PROJECT, RunningServer.task("two", "true")))
            .isInstanceOfSatisfying(
                ClientException.class, e -> assertThat(e.status()).isEqualTo(401));
      }
      assertThat(answer("SELECT count(*) FROM inbox")).as("what is answered goes").isEqualTo("0");
    }
    waiting.await().close();
  }

  @Test
  void nothingOfWhoShowsNoTokenIsPassedOnButLogins() throws Exception {
    Waiting waiting;
    try (RunningServer active = new RunningServer(first, environment(), (_, _) -> {})) {
      assertThat(
              active.server().routes().stream()
                  .filter(route -> route.need() == Need.NOTHING)
                  .map(route -> route.method() + " " + route.path()))
          .as("a server that stands by has these itself, or passes them on for anybody")
          .isSubsetOf(
              Stream.concat(
                      HttpApi.PASSED_FOR_STRANGERS.stream(), Stream.of("GET /health", "GET /ready"))
                  .toList());
      waiting = startAnother(second);
      String url = waiting.standsBy().get(60, TimeUnit.SECONDS);
      try (Sender stranger = new Sender(url, "127.0.5.1")) {
        String large = "x".repeat(100_000);
        assertThat(stranger.send("GET", "/login", null, null).status()).isEqualTo(200);
        assertThat(stranger.send("POST", "/login/oidc", large, null).status()).isEqualTo(413);
        try (var connection = postgres.getPostgresDatabase().getConnection();
            var statement = connection.createStatement()) {
          statement.execute("ALTER TABLE inbox ADD CONSTRAINT shut CHECK (false) NOT VALID");
        }
        assertThat(stranger.send("GET", "/login", null, null).status()).isGreaterThanOrEqualTo(500);
        assertThat(stranger.send("POST", "/projects/main/runs", large, null).status())
            .isEqualTo(401);
        assertThat(stranger.send("PUT", "/nothing/of/this", large, "wrong").status())
            .isEqualTo(401);
      }
    }
    waiting.await().close();
  }

  @Test
  void aServerThatWasTakenOverEnds() throws Exception {
    try (RunningServer server = new RunningServer(first, environment(), (_, _) -> {});
        Ledger ledger = PostgresLedger.open(PostgresAddress.of(address()))) {
      Tenure usurper = ledger.takeOver(Ledger.MAIN_REALM, "a usurper");
      Throwable cause = server.server().failure().get(60, TimeUnit.SECONDS);
      assertThat(cause).hasMessageContaining("took over");
      ledger.renew(usurper);
    }
  }

  @Test
  void aHomeOfAnotherInstallationIsRefused() throws Exception {
    new RunningServer(second).close();
    new RunningServer(first, environment(), (_, _) -> {}).close();
    assertThatThrownBy(() -> new RunningServer(second, environment(), (_, _) -> {}))
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("another installation");
  }

  @Test
  void aServerWithAnotherStoreOfUploadsIsRefusedAlsoAsAStandby(@TempDir Path other)
      throws Exception {
    Path elsewhere = other.resolve("elsewhere");
    try (RunningServer _ = new RunningServer(first, environment(), (_, _) -> {})) {
      Files.writeString(second.resolve("server.yml"), "blobs: {folder: " + elsewhere + "}\n");
      assertThatThrownBy(() -> new RunningServer(second, environment(), (_, _) -> {}))
          .isInstanceOf(BlobException.class)
          .hasMessageContaining(elsewhere.toString())
          .hasMessageContaining("not the one that the servers of this database use");
    }
    Files.delete(second.resolve("server.yml"));
    assertThatThrownBy(() -> new RunningServer(second, environment(), (_, _) -> {}))
        .as("a folder in its own home is another store, too")
        .isInstanceOf(BlobException.class);
  }

  @Test
  void oneLogsInAndOutThroughAServerThatStandsBy() throws Exception {
    SigningKey key = SigningKey.rsa("k1");
    Waiting waiting;
    try (TestIssuer issuer = new TestIssuer(key)) {
      Files.writeString(
          first.resolve("server.yml"),
          "oidc: {issuer: '" + issuer.name() + "', client-id: berth, create-users: true}\n",
          StandardOpenOption.APPEND);
      try (RunningServer server = new RunningServer(first, environment(), (_, _) -> {})) {
        waiting = startAnother(second);
        String url = waiting.standsBy().get(60, TimeUnit.SECONDS);
        OidcLoginRequest request =
            new OidcLoginRequest(
                key.token(issuer.claims("ann@example.com", Instant.now().getEpochSecond())), null);
        String secret;
        try (BerthClient nobody = new BerthClient(url, "")) {
          assertThat(Objects.requireNonNull(nobody.access().login().oidc()).issuer())
              .isEqualTo(issuer.name());
          secret = Objects.requireNonNull(nobody.access().logIn(request, "once").secret());
        }
        try (BerthClient ann = new BerthClient(url, secret)) {
          assertThat(ann.access().logOut().user()).isEqualTo("ann@example.com");
        }
        assertThat(server.client().access().tokens("ann@example.com").tokens()).isEmpty();
        // The active server counts by the address of who asks, not of who passes it on.
        String wrong = "{\"id_token\": \"a.b.c\"}";
        try (Sender eve = new Sender(url, "127.0.4.1");
            Sender other = new Sender(url, "127.0.4.2")) {
          for (int i = 0; i < FailedLogins.MOST; i++) {
            assertThat(eve.send("POST", "/login/oidc", wrong, null).status()).isEqualTo(401);
          }
          assertThat(eve.send("POST", "/login/oidc", wrong, null).status()).isEqualTo(429);
          assertThat(other.send("POST", "/login/oidc", wrong, null).status()).isEqualTo(401);
        }
      }
    }
    waiting.await().close();
  }

  @Test
  void aTraceGoesOnThroughAServerThatStandsBy() throws Exception {
    try (Collector collector = new Collector()) {
      for (Path home : List.of(first, second)) {
        Files.writeString(
            home.resolve("server.yml"),
            "traces: {endpoint: \"" + collector.url() + "\"}\n",
            StandardOpenOption.APPEND);
      }
      Waiting waiting;
      try (RunningServer active = new RunningServer(first, environment(), (_, _) -> {})) {
        waiting = startAnother(second);
        String url = waiting.standsBy().get(60, TimeUnit.SECONDS);
        String token = Files.readString(second.resolve("token")).strip();
        try (BerthClient client = new BerthClient(url, token)) {
          client.submit(RunningServer.PROJECT, RunningServer.task("passed", "true"), "key");
        }
        active.outputOf("passed");
        collector.await("POST", "POST /api/v1/projects/{project}/runs", "run");
      }
      waiting.await().close();
      Collector.Heard asked = collector.named("POST").getFirst();
      Collector.Heard answered = collector.one("POST /api/v1/projects/{project}/runs");
      assertThat(answered.parent()).isEqualTo(asked.id());
      assertThat(collector.one("run").parent()).isEqualTo(answered.id());
      assertThat(collector.one("run").trace()).isEqualTo(asked.trace());
    }
  }
}
