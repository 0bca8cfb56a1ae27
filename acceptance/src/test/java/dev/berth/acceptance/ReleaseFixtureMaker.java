package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.EventView;
import dev.berth.model.api.FleetRequest;
import dev.berth.model.api.MemberRequest;
import dev.berth.model.api.ProjectRequest;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import dev.berth.model.api.SecretRequest;
import dev.berth.model.api.TokenRequest;
import dev.berth.model.api.UserRequest;
import dev.berth.model.testing.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Makes the databases and home folders of a release that later versions must be able to adopt, with
 * the distribution as it was built. No test by its name, so that only whoever asks for it runs it:
 * see docs/development/release-fixtures.md.
 */
class ReleaseFixtureMaker {
  private static final String MAIN = "main";
  private static final String TEAM = "team";
  private static final Pattern ADDRESS =
      Pattern.compile("(?:listening on|standing by at) (http://[0-9.:]+)");

  /** Retention would take away, in three months, what the fixture is there to show. */
  private static final String SERVER_FILE =
      """
      projects:
        - name: main
          backends:
            - type: local
              name: bench
              slots: 2
      retention:
        events: 36500d
        idempotency-keys: 36500d
        finished-actions: 36500d
      """;

  private static final Map<String, @Nullable Object> FAST =
      Map.of("boot_time", "100ms", "delete_time", "100ms", "command_time", "50ms");

  @Test
  void sqlite() throws Exception {
    try (TestHome home = home()) {
      RunningCommand server = start(home);
      ReleaseFixtureArchive archive;
      try (BerthClient client = client(home, server)) {
        archive = tell(home, url(server), client);
      }
      kill(server);
      afterTheServer(home);
      archive.write("sqlite", null);
    }
  }

  @Test
  void postgres() throws Exception {
    try (EmbeddedPostgres postgres =
            EmbeddedPostgres.builder()
                .setPort(FreePort.find())
                .setPGStartupWait(Await.AT_MOST)
                .start();
        TestHome home = home()) {
      home.set(
          "BERTH_DATABASE_URL",
          "postgresql://postgres@localhost:" + postgres.getPort() + "/postgres");
      RunningCommand server = start(home);
      RunningCommand standby;
      ReleaseFixtureArchive archive;
      try (BerthClient client = client(home, server)) {
        standby = start(home);
        url(standby);
        archive = tell(home, url(server), client);
      }
      leaveARequestInTheInbox(home, server, standby, postgres);
      afterTheServer(home);
      archive.write("postgres", postgres.getPostgresDatabase());
    }
  }

  private static TestHome home() throws IOException {
    TestHome home = TestHome.fresh();
    Files.createDirectories(home.folder());
    Files.writeString(home.folder().resolve("server.yml"), SERVER_FILE);
    return home;
  }

  private static RunningCommand start(TestHome home) {
    return home.startProgram(Distribution.teamServer(home.scratch()), home.scratch());
  }

  private static BerthClient client(TestHome home, RunningCommand server) throws IOException {
    String url = url(server);
    return new BerthClient(url, Files.readString(home.folder().resolve("token")).strip());
  }

  private static String url(RunningCommand server) {
    Await.until("the server's address", () -> ADDRESS.matcher(server.out()).find(), server::err);
    Matcher said = ADDRESS.matcher(server.out());
    assertThat(said.find()).isTrue();
    return said.group(1);
  }

  private static void kill(RunningCommand server) {
    ProcessTable.signal("KILL", server.process().pid());
    server.await();
  }

  /** All that happens while the server lives; returns what is known of it at its end. */
  private static ReleaseFixtureArchive tell(TestHome home, String url, BerthClient client)
      throws IOException {
    Map<String, String> tokens = people(client);
    client.access().putSecret(MAIN, new SecretRequest("greeting", "a word that nobody sees"));
    addClouds(client);
    endedRuns(client, new BerthClient(url, Objects.requireNonNull(tokens.get("alice"))));
    machines(client);
    // From here on the two slots of the bench are taken, and whoever wants one has to wait.
    for (String name : List.of("exits-alone", "is-lost")) {
      submit(client, MAIN, task(name, "bench", command(name)));
      awaitRun(client, name, run -> run.status().equals("running"));
    }
    submit(client, MAIN, task("goes-on", "cloud", "echo begun", "sleep infinity"));
    awaitRun(client, "goes-on", run -> run.status().equals("running"));
    Map<String, @Nullable Object> waits =
        task("waits", "bench", "printf %s \"$GREETING\" | sha256sum");
    waits.put("env", Map.of("GREETING", "${{ secrets.greeting }}"));
    submit(client, MAIN, waits);
    Map<String, @Nullable Object> follows = task("follows", "bench", "echo at last");
    follows.put("after", List.of("waits"));
    submit(client, MAIN, follows);
    Map<String, @Nullable Object> nightly = task("nightly", "bench", "echo good night");
    nightly.put("schedule", Map.of("cron", List.of("0 3 29 2 *")));
    submit(client, MAIN, nightly);
    submit(client, MAIN, task("in-doubt", "doubtful", "echo found"));
    awaitEvent(client, "resource.in_doubt");
    submit(client, MAIN, task("is-asked", "slow", "echo answered"));
    awaitRun(client, "is-asked", run -> run.status().equals("provisioning"));
    return ReleaseFixtureArchive.of(home, client, tokens);
  }

  private static Map<String, String> people(BerthClient client) {
    client.access().makeProject(new ProjectRequest(TEAM));
    client.access().makeUser(new UserRequest("alice", "user"));
    client.access().makeUser(new UserRequest("bob", "user"));
    client.access().putMember(TEAM, new MemberRequest("alice", "user"));
    client.access().putMember(TEAM, new MemberRequest("bob", "viewer"));
    Map<String, String> tokens = new LinkedHashMap<>();
    tokens.put("alice", token(client, new TokenRequest("laptop", "alice", null, null, null)));
    tokens.put("bob", token(client, new TokenRequest("reader", "bob", TEAM, "viewer", null)));
    tokens.put("expired", token(client, new TokenRequest("brief", "alice", null, null, 1L)));
    return tokens;
  }

  private static String token(BerthClient client, TokenRequest request) {
    return Objects.requireNonNull(client.access().makeToken(request, key()).secret());
  }

  private static void addClouds(BerthClient client) {
    add(
        client,
        "cloud",
        Map.of(
            "scenario", FAST, "creds", Map.of("type", "api_key", "api_key", "a key of a cloud")));
    // It answers so late that the server is gone before the answer comes.
    Map<String, @Nullable Object> slow = new LinkedHashMap<>(FAST);
    slow.put("boot_time", "20s");
    slow.put("latencies", Map.of("start", Map.of("min", "8s", "max", "8s")));
    add(client, "slow", Map.of("scenario", slow));
    add(client, "machines", Map.of("gives", "machines", "scenario", FAST));
    // It needs so long to delete a machine that the server is gone before the machine is.
    Map<String, @Nullable Object> leaving = new LinkedHashMap<>(FAST);
    leaving.put("delete_time", "2m");
    add(client, "leaving", Map.of("gives", "machines", "scenario", leaving));
    // The first machine is made, and the answer is lost; it takes long until lists show it.
    Map<String, @Nullable Object> doubtful = new LinkedHashMap<>(FAST);
    doubtful.put("visible_within", "2m");
    doubtful.put("call_deadline", "1s");
    doubtful.put(
        "faults",
        List.of(
            Map.of("kind", "timeout_though_created", "operation", "create", "calls", List.of(1))));
    add(
        client,
        "doubtful",
        Map.of("gives", "machines", "identity", "lookup", "scenario", doubtful));
  }

  private static void add(BerthClient client, String name, Map<String, @Nullable Object> settings) {
    client.addBackend(MAIN, new BackendRequest(name, "sim", settings));
  }

  private static void endedRuns(BerthClient client, BerthClient alice) {
    RunRequest hello =
        new RunRequest(
            "hello", task("hello", "local", "echo hello", "echo beside >&2", "seq 1 1000"));
    client.submit(MAIN, hello, "the-key-of-hello");
    submit(client, MAIN, task("fails", "local", "echo about to fail", "exit 3"));
    submit(client, MAIN, task("is-stopped", "local", "echo begun", "sleep 600"));
    submit(client, MAIN, task("cloudy", "cloud", "echo from the cloud"));
    awaitRun(client, "is-stopped", run -> run.status().equals("running"));
    client.stop(MAIN, "is-stopped", false);
    for (String name : List.of("hello", "fails", "is-stopped", "cloudy")) {
      awaitRun(client, name, run -> run.finishedAt() != null);
    }
    try (alice) {
      submit(alice, TEAM, task("of-alice", "local", "echo mine"));
      Await.until("alice's run", () -> alice.get(TEAM, "of-alice").run().finishedAt() != null);
    }
  }

  private static void machines(BerthClient client) {
    Map<String, @Nullable Object> fleet = new LinkedHashMap<>();
    fleet.put("type", "fleet");
    fleet.put("name", "pool");
    fleet.put("nodes", Map.of("min", 1, "target", 1, "max", 2));
    fleet.put("backends", List.of("machines"));
    client.applyFleet(MAIN, new FleetRequest("pool", fleet), key());
    Await.until(
        "the machine of the fleet", () -> client.fleet(MAIN, "pool").fleet().nodes().idle() == 1);
    Map<String, @Nullable Object> brief = task("leaves", "leaving", "echo done");
    brief.put("idle_duration", 0);
    submit(client, MAIN, brief);
    awaitRun(client, "leaves", run -> run.finishedAt() != null);
    awaitEvent(client, "instance.leaving");
  }

  /** What the jobs do that the server does not see the end of. */
  private static String command(String name) {
    return name.equals("exits-alone")
        ? "echo begun; until [ -e \"${BERTH_JOB_DIRECTORY}gate\" ]; do sleep 0.1; done;"
            + " echo ended; exit 7"
        : "echo begun; sleep 1000000";
  }

  /** One job ends by itself, and of the other nobody will ever say how it ended. */
  private static void afterTheServer(TestHome home) throws IOException {
    Path gone = jobOf(home, "exits-alone");
    Files.writeString(gone.resolve("gate"), "");
    Await.until("the end of the job", () -> Files.exists(gone.resolve("exit")));
    String lost = jobOf(home, "is-lost").getFileName().toString();
    Await.until(
        "the death of the other",
        () -> {
          List<ProcessTable.Entry> left = ProcessTable.mentioning(lost);
          left.forEach(one -> ProcessTable.signal("KILL", one.pid()));
          return left.isEmpty();
        });
  }

  private static Path jobOf(TestHome home, String run) throws IOException {
    try (Stream<Path> files = Files.walk(home.folder().resolve("server"))) {
      for (Path file : files.filter(path -> path.endsWith("job.env")).toList()) {
        if (Files.readString(file).contains("'BERTH_RUN_NAME=" + run + "'")) {
          return Objects.requireNonNull(file.getParent());
        }
      }
    }
    throw new AssertionError("no job of " + run);
  }

  /** The server that stands by is asked for a run while the active one is dead, and dies, too. */
  private static void leaveARequestInTheInbox(
      TestHome home, RunningCommand active, RunningCommand standby, EmbeddedPostgres postgres)
      throws IOException {
    try (BerthClient client = client(home, standby)) {
      kill(active);
      CompletableFuture<Void> asked =
          CompletableFuture.runAsync(
              () -> submit(client, MAIN, task("never-made", "cloud", "echo never")));
      Await.until("the request in the inbox", () -> inbox(postgres) == 1);
      kill(standby);
      assertThatThrownBy(asked::join).hasCauseInstanceOf(ClientException.class);
    }
  }

  private static int inbox(EmbeddedPostgres postgres) {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var rows = connection.createStatement().executeQuery("SELECT count(*) FROM inbox")) {
      return rows.next() ? rows.getInt(1) : 0;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, @Nullable Object> task(
      String name, String backend, String... commands) {
    Map<String, @Nullable Object> task = new LinkedHashMap<>();
    task.put("type", "task");
    task.put("name", name);
    task.put("backends", List.of(backend));
    task.put("commands", List.of(commands));
    return task;
  }

  private static void submit(
      BerthClient client, String project, Map<String, @Nullable Object> task) {
    client.submit(project, new RunRequest(String.valueOf(task.get("name")), task), key());
  }

  private static String key() {
    return UUID.randomUUID().toString();
  }

  private static void awaitRun(BerthClient client, String name, Predicate<RunView> wanted) {
    Await.until(
        name,
        () -> wanted.test(client.get(MAIN, name).run()),
        () -> client.get(MAIN, name).toString());
  }

  private static void awaitEvent(BerthClient client, String kind) {
    Await.until(
        kind,
        () ->
            client.allEvents(0, 1000, 0).events().stream()
                .map(EventView::kind)
                .anyMatch(kind::equals));
  }
}
