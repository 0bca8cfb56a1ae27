package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.backends.sim.Holding;
import dev.berth.backends.sim.SimBackendType;
import dev.berth.backends.sim.SimCompute;
import dev.berth.backends.sim.SimConfig;
import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.Stored;
import dev.berth.model.api.EventView;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunList;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import dev.berth.spi.BackendContext;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The home and the database of a server of release d455378, which was killed in the middle of its
 * work, are opened and adopted by the server of today.
 */
@Timeout(300)
class ReleaseFixtureTest {
  private static final String RELEASE = "d455378";
  private static final String MAIN = RunningServer.PROJECT;
  private static final String TEAM = "team";
  private static final List<String> CLOUDS =
      List.of("cloud", "doubtful", "leaving", "machines", "slow");

  /** SHA-256 of the secret. */
  private static final String GREETING =
      "deb80eb816c04f19e697d42a1fc87baeb3f59b4f1af1d9311d3cad8a1471dc67";

  @TempDir Path home = Path.of("");

  @Test
  void sqliteIsAdopted() throws Exception {
    ReleaseFixture fixture = ReleaseFixture.unpack(RELEASE, "sqlite", home);
    adopt(fixture, Map.of());
  }

  @Test
  void postgresIsAdopted() throws Exception {
    try (EmbeddedPostgres postgres = TestPostgres.start()) {
      ReleaseFixture fixture = ReleaseFixture.unpack(RELEASE, "postgres", home);
      fixture.load(postgres.getPostgresDatabase());
      assertThat(requestsInInbox(postgres)).as("requests that nobody answered").isEqualTo(1);
      adopt(fixture, TestPostgres.environment(postgres));
      assertThat(requestsInInbox(postgres)).as("requests that nobody waits for").isZero();
    }
  }

  private static int requestsInInbox(EmbeddedPostgres postgres) throws SQLException {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var rows = connection.createStatement().executeQuery("SELECT count(*) FROM inbox")) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }

  private void adopt(ReleaseFixture fixture, Map<String, String> environment) throws Exception {
    try (RunningServer server = new RunningServer(home, environment, (_, _) -> {})) {
      BerthClient client = server.client();
      peopleAreKnown(fixture, server);
      endedRunsAreTheSame(fixture, server);
      eventsAreTheSame(fixture, client);
      outputsAreThere(client);
      secretsAndKeysAreKnown(client);
      activeRunsAreAdopted(client);
      machinesAreAdopted(client);
      everythingCanBeGivenBack(client);
    }
    try (Ledger ledger = Storage.open(null, environment, home.resolve("server"))) {
      assertThat(ledger.unfinishedActions(Ledger.MAIN_REALM)).isEmpty();
      assertThat(ledger.listAll(Ledger.MAIN_REALM, EntityQuery.all("resource", 100).active()))
          .extracting(Stored::row)
          .extracting(EntityRow::state)
          .isEmpty();
    }
  }

  private static void peopleAreKnown(ReleaseFixture fixture, RunningServer server) {
    String url = server.server().url();
    try (BerthClient alice = new BerthClient(url, fixture.token("alice"));
        BerthClient bob = new BerthClient(url, fixture.token("bob"));
        BerthClient expired = new BerthClient(url, fixture.token("expired"))) {
      assertThat(alice.info().user()).isEqualTo("alice");
      assertThat(alice.info().roles()).isEqualTo(Map.of(TEAM, "user"));
      assertThat(text(RunningServer.outputOf(alice, TEAM, "of-alice"))).isEqualTo("mine\n");
      assertThat(bob.info().roles()).isEqualTo(Map.of(TEAM, "viewer"));
      assertThat(bob.get(TEAM, "of-alice").run().status()).isEqualTo("done");
      refused(403, () -> bob.delete(TEAM, "of-alice"));
      refused(401, expired::info);
    }
  }

  private static void refused(int status, Runnable request) {
    assertThatThrownBy(request::run)
        .isInstanceOfSatisfying(
            ClientException.class, e -> assertThat(e.status()).isEqualTo(status));
  }

  private static void endedRunsAreTheSame(ReleaseFixture fixture, RunningServer server)
      throws Exception {
    assertThat(fixture.endedRuns()).hasSize(6);
    for (JsonNode before : fixture.endedRuns()) {
      JsonNode run = before.get("run");
      String path =
          "/api/v1/projects/%s/runs/%s"
              .formatted(run.get("project").asString(), run.get("id").asString());
      JsonNode now = ApiJson.MAPPER.readTree(server.request("GET", path, null, true).body());
      assertThat(ReleaseFixture.difference(run.get("name").asString(), before, now)).isNull();
    }
  }

  private static void eventsAreTheSame(ReleaseFixture fixture, BerthClient client) {
    List<EventView> events = client.allEvents(0, 1000, 0).events();
    assertThat(events)
        .extracting(EventView::seq)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, events.size()).mapToObj(Long::valueOf).toList());
    assertThat(events.subList(0, fixture.events().size()))
        .extracting(
            event ->
                "%d %s %s %s %s %s"
                    .formatted(
                        event.seq(),
                        event.at(),
                        event.kind(),
                        event.entityKind(),
                        event.entityId(),
                        event.actor()))
        .containsExactlyElementsOf(fixture.events());
  }

  private static void outputsAreThere(BerthClient client) {
    String numbers =
        IntStream.rangeClosed(1, 1000)
            .mapToObj(number -> number + "\n")
            .collect(Collectors.joining());
    assertThat(output(client, "hello", "stdout")).isEqualTo("hello\n" + numbers);
    assertThat(output(client, "hello", "stderr")).isEqualTo("beside\n");
    assertThat(output(client, "fails", "stdout")).isEqualTo("about to fail\n");
    assertThat(output(client, "is-stopped", "stdout")).isEqualTo("begun\n");
    assertThat(output(client, "cloudy", "stdout")).isEqualTo("from the cloud\n");
    assertThat(output(client, "leaves", "stdout")).isEqualTo("done\n");
  }

  private static String output(BerthClient client, String run, String stream) {
    return text(client.log(MAIN, run, BerthClient.Source.FIRST_NODE, stream, 0).bytes());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void secretsAndKeysAreKnown(BerthClient client) {
    assertThat(client.access().revealSecret(MAIN, "greeting").value())
        .isEqualTo("a word that nobody sees");
    RunDetail hello = client.get(MAIN, "hello");
    RunView again =
        client.submit(MAIN, new RunRequest("hello", hello.configuration()), "the-key-of-hello");
    assertThat(again.id()).as("the run of the same key").isEqualTo(hello.run().id());
    assertThat(client.list(MAIN, true, 1000, null).runs())
        .extracting(RunView::name)
        .as("no run is new, also none of requests that nobody waits for")
        .doesNotHaveDuplicates()
        .doesNotContain("never-made");
    assertThat(client.backends(MAIN).backends())
        .filteredOn(backend -> CLOUDS.contains(backend.name()))
        .as("what was encrypted of backends was read")
        .hasSize(CLOUDS.size())
        .allSatisfy(backend -> assertThat(backend.message()).isNull());
  }

  private static void activeRunsAreAdopted(BerthClient client) {
    RunView alone = ended(client, "exits-alone");
    assertThat(alone.status()).isEqualTo("failed");
    assertThat(alone.exitCode()).as("what its folder says").isEqualTo(7);
    assertThat(output(client, "exits-alone", "stdout")).isEqualTo("begun\nended\n");
    RunDetail lost = client.get(MAIN, ended(client, "is-lost").id());
    assertThat(lost.run().status()).isEqualTo("failed");
    assertThat(lost.run().exitCode()).isNull();
    assertThat(lost.attempts().getFirst().message())
        .isEqualTo("the machine was restarted while the job ran");
    assertThat(output(client, "is-lost", "stdout")).isEqualTo("begun\n");
    // They had to wait for a slot of the machine, and for each other.
    assertThat(ended(client, "waits").status()).isEqualTo("done");
    assertThat(output(client, "waits", "stdout")).startsWith(GREETING);
    assertThat(ended(client, "follows").status()).isEqualTo("done");
    assertThat(output(client, "follows", "stdout")).isEqualTo("at last\n");
    RunView nightly = client.get(MAIN, "nightly").run();
    assertThat(nightly.status()).isEqualTo("pending");
    assertThat(nightly.nextAt()).isAfter(Instant.now());
    RunView found = ended(client, "in-doubt");
    assertThat(found.status()).as(found.toString()).isEqualTo("done");
    assertThat(output(client, "in-doubt", "stdout")).isEqualTo("found\n");
    RunDetail asked = client.get(MAIN, ended(client, "is-asked").id());
    assertThat(asked.run().status()).as(asked.toString()).isEqualTo("done");
    assertThat(asked.attempts()).as("nothing was bought twice").hasSize(1);
    RunView goesOn = await(client, "goes-on", run -> run.status().equals("running"));
    client.stop(MAIN, goesOn.id(), false);
    assertThat(ended(client, "goes-on").status()).isEqualTo("terminated");
    assertThat(output(client, "goes-on", "stdout")).isEqualTo("begun\n");
  }

  private static void machinesAreAdopted(BerthClient client) {
    FleetView pool = client.fleet(MAIN, "pool").fleet();
    assertThat(pool.status()).isEqualTo("active");
    assertThat(pool.nodes().idle()).as("the machine that was there").isEqualTo(1);
    assertThat(client.fleet(MAIN, "pool").instances())
        .allSatisfy(
            machine -> assertThat(machine.createdAt()).isBefore(pool.createdAt().plusSeconds(60)));
    Await.until(() -> hasEvent(client, "instance.gone", "leaves"));
  }

  private static boolean hasEvent(BerthClient client, String kind, String run) {
    String id = client.get(MAIN, run).run().id();
    return client.allEvents(0, 1000, 0).events().stream()
        .anyMatch(event -> event.kind().equals(kind) && event.entityId().startsWith(id));
  }

  private void everythingCanBeGivenBack(BerthClient client) {
    client.stop(MAIN, "nightly", false);
    ended(client, "nightly");
    client.fleets(MAIN).fleets().stream()
        .filter(fleet -> fleet.status().equals("active"))
        .forEach(fleet -> client.deleteFleet(MAIN, fleet.id()));
    RunList runs = client.list(MAIN, true, 1000, null);
    runs.runs().forEach(run -> client.delete(MAIN, run.id()));
    for (String cloud : CLOUDS) {
      Await.until(() -> holdings(cloud).isEmpty());
      Await.until(() -> removes(client, cloud));
    }
  }

  /** What costs money there, as only the cloud itself can know it. */
  private List<Holding> holdings(String cloud) {
    Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    settings.put("gives", "machines");
    try (SimCompute compute =
        new SimBackendType()
            .open(
                ConfigReader.read(SimConfig.class, settings),
                new BackendContext(
                    cloud,
                    new Owner("looking"),
                    home.resolve("server/backend-data/" + cloud + "@main"),
                    Map.of(),
                    InstantSource.system()))) {
      return compute.cloud().holdings();
    }
  }

  private static boolean removes(BerthClient client, String backend) {
    try {
      client.removeBackend(MAIN, backend, false);
      return true;
    } catch (ClientException e) {
      // The server has not heard yet that everything is gone.
      assertThat(e.status()).isEqualTo(409);
      return false;
    }
  }

  private static RunView ended(BerthClient client, String run) {
    return await(client, run, view -> view.finishedAt() != null);
  }

  private static RunView await(BerthClient client, String run, Predicate<RunView> wanted) {
    try {
      Await.until(() -> wanted.test(client.get(MAIN, run).run()));
    } catch (AssertionError e) {
      throw new AssertionError(client.get(MAIN, run).toString(), e);
    }
    return client.get(MAIN, run).run();
  }
}
