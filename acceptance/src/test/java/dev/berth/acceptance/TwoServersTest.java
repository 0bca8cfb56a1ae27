package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import dev.berth.model.testing.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients submit runs to two servers on one PostgreSQL, while the active one is killed or stands
 * still for long, and while PostgreSQL is restarted. In the end there are as many runs as were
 * submitted, and each was bought once.
 */
@Timeout(3600)
class TwoServersTest {
  private static final String PROJECT = "main";
  private static final String BACKEND = "cloud";
  private static final int CLIENTS = 4;
  private static final int UNDER_WAY = 40;

  /** Asserted in a soak only. */
  private static final Duration TAKEN_OVER_WITHIN = Duration.ofSeconds(15);

  /** So short that nobody can take the active server for silent afterwards. */
  private static final Duration NO_SILENCE = Duration.ofSeconds(3);

  private static final Map<String, @Nullable Object> CLOUD =
      Map.of(
          "state",
          "file",
          "scenario",
          Map.of("boot_time", "100ms", "command_time", "50ms", "concurrent_calls", 16));
  private static final String FILE =
      """
      projects:
        - name: main
          backends:
            - type: sim
              name: cloud
              state: file
              scenario: {boot_time: 100ms, command_time: 50ms, concurrent_calls: 16}
      server:
        own-machine: false
      """;

  @TempDir Path folder;
  private EmbeddedPostgres postgres;

  @BeforeEach
  void start() throws IOException {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    Assumptions.assumeTrue(
        system.equals("Linux amd64"), "the postgres of the tests does not run on " + system);
    postgres = startPostgres(FreePort.find());
  }

  @AfterEach
  void stop() throws IOException {
    if (postgres != null) {
      stopPostgres();
    }
  }

  private EmbeddedPostgres startPostgres(int port) throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(folder.resolve("data"))
            .setCleanDataDirectory(false)
            .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
            .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
            .setPGStartupWait(Await.AT_MOST)
            .setPort(port);
    return builder.start();
  }

  /** Ends it and waits until it has, however long that takes: then its folder is nobody's. */
  private void stopPostgres() throws IOException {
    Optional<ProcessHandle> running = postmaster();
    postgres.close();
    running.ifPresent(process -> process.onExit().join());
  }

  private Optional<ProcessHandle> postmaster() throws IOException {
    Path file = folder.resolve("data/postmaster.pid");
    return Files.exists(file)
        ? ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst()))
        : Optional.empty();
  }

  private ServerPair pair() throws IOException {
    return new ServerPair(
        "postgresql://postgres@localhost:" + postgres.getPort() + "/postgres", FILE);
  }

  private long number(String question) throws SQLException {
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement();
        var result = statement.executeQuery(question)) {
      return result.next() ? result.getLong(1) : -1;
    }
  }

  /** Submits under load until the disturbances are over, and then checks everything. */
  private void play(ServerPair servers, int disturbances, Disturbance disturbance)
      throws Exception {
    int share = Soak.count(35, 2);
    int most = share * (disturbances + 2);
    Map<Integer, String> answers = new ConcurrentHashMap<>();
    // However slowly servers start, some of the load meets each state that they are in: a share of
    // it waits until the disturbance before the last one is over.
    List<CompletableFuture<Void>> over =
        Stream.generate(CompletableFuture<Void>::new).limit(disturbances).toList();
    try (RunFollower follower = new RunFollower(PROJECT, servers::client)) {
      CompletableFuture<Void> disturbed =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < disturbances; i++) {
                  follower.awaitEnds((i + 1) * share + 1);
                  disturbance.happen(i);
                  over.get(i).complete(null);
                }
              },
              task -> Thread.ofPlatform().name("disturbance").start(task));
      disturbed.exceptionally(
          failure -> {
            over.forEach(one -> one.completeExceptionally(failure));
            return null;
          });
      Parallel.each(
          CLIENTS,
          most,
          number -> {
            if (number >= 2 * share) {
              over.get(number / share - 2).join();
            }
            follower.awaitEnds(number - UNDER_WAY);
            answers.put(number, servers.ask(client -> submit(client, number)).id());
          });
      disturbed.join();
      follower.awaitEnds(most);
      check(servers, most, answers, follower);
    }
  }

  private interface Disturbance {
    void happen(int number);
  }

  private static RunView submit(BerthClient client, int number) {
    Map<String, @Nullable Object> task = new HashMap<>();
    task.put("type", "task");
    task.put("commands", List.of("work"));
    task.put("backends", List.of(BACKEND));
    return client.submit(PROJECT, new RunRequest("submit-" + number, task), "key-" + number);
  }

  private static void check(
      ServerPair servers, int submits, Map<Integer, String> answers, RunFollower follower)
      throws IOException {
    assertThat(follower.runs("run.submitted")).doesNotHaveDuplicates().hasSize(submits);
    assertThat(follower.runs("run.ended")).doesNotHaveDuplicates().hasSize(submits);
    assertThat(servers.ask(follower::all))
        .allSatisfy(run -> assertThat(run.status()).isEqualTo("done"))
        .extracting(RunView::id)
        .containsExactlyInAnyOrderElementsOf(answers.values());
    // One key at the cloud for each run: nothing was bought twice, and all of it has ended.
    CloudRemains.of(servers.firstHome(), BACKEND, CLOUD).assertEnded(submits);
  }

  @Test
  void anotherTakesOverFromAServerThatDiesOrStandsStill() throws Exception {
    int disturbances = Soak.count(2, 0.1);
    try (ServerPair servers = pair()) {
      servers.start();
      play(
          servers,
          disturbances,
          number -> {
            ServerPair.Member active = servers.active();
            ServerPair.Member other = servers.otherThan(active);
            long began = System.nanoTime();
            active.signal(number % 2 == 0 ? "KILL" : "STOP");
            other.awaitHealth("ok");
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            System.out.printf("TwoServersTest: taken over after %d ms%n", took.toMillis());
            if (Soak.rounds(0) > 0) {
              assertThat(took).isLessThan(TAKEN_OVER_WITHIN);
            }
            if (number % 2 == 1) {
              active.signal("CONT");
              FinishedCommand ended = active.command().await();
              assertThat(ended.exitCode()).as("how it ended: %s", ended.err()).isEqualTo(1);
              assertThat(ended.err()).contains("took over");
            } else {
              active.command().await();
            }
            active.start();
            active.awaitHealth("standby");
          });
      assertThat(number("SELECT stale_writes FROM realm")).isGreaterThanOrEqualTo(disturbances / 2);
      servers.end();
    }
  }

  @Test
  void twoVersionsTakeOverFromEachOtherUpAndBack() throws Exception {
    String next = NextVersion.make(folder.resolve("next"));
    try (ServerPair servers = pair()) {
      servers.start();
      play(
          servers,
          4,
          number -> {
            // Each gives way in order to the other one, and comes back: as the next version, as
            // the next version, and then each as this version again.
            ServerPair.Member active = servers.active();
            active.command().process().destroy();
            active.command().await();
            servers.otherThan(active).awaitHealth("ok");
            active.start(number < 2 ? next : "");
            active.awaitHealth("standby");
          });
      assertThat(number("SELECT count(*) FROM schema_history WHERE description = 'later'"))
          .as("the next version migrated once")
          .isEqualTo(1);
      assertThat(number("SELECT count(*) FROM entity WHERE kind = 'gadget' AND active"))
          .as("what only the next version knows stays")
          .isEqualTo(1);
      assertThat(number("SELECT count(*) FROM entity WHERE kind = 'user' AND body LIKE '%later%'"))
          .as("the next version does not write what it has no reason to")
          .isZero();
      assertThat(number("SELECT count(*) FROM entity WHERE kind = 'run' AND body LIKE '%later%'"))
          .as("runs that the next version wrote")
          .isPositive();
      servers.end();
    }
  }

  @Test
  void serversGoOnWhenPostgresIsRestarted() throws Exception {
    try (ServerPair servers = pair()) {
      servers.start();
      play(
          servers,
          Soak.count(2, 0.1),
          number -> {
            long began = System.nanoTime();
            restartPostgres(number % 2 == 1);
            Duration away = Duration.ofNanos(System.nanoTime() - began);
            ServerPair.Member active = servers.active();
            ServerPair.Member other = servers.otherThan(active);
            if (away.compareTo(NO_SILENCE) <= 0) {
              servers.assertAlive();
            } else if (!other.command().process().isAlive()) {
              // It could give no sign of life for so long that the other one had to take over.
              assertThat(other.command().err()).contains("took over");
              other.start();
            }
            other.awaitHealth("standby");
          });
      servers.end();
    }
  }

  /**
   * Restarts it.
   *
   * @param atOnce as after a crash: what is under way is cut, and the log is read again
   */
  private void restartPostgres(boolean atOnce) {
    int port = postgres.getPort();
    try {
      if (atOnce) {
        ProcessHandle running = postmaster().orElseThrow();
        CompletableFuture<ProcessHandle> ended = running.onExit();
        ProcessTable.signal("QUIT", running.pid());
        ended.join();
      }
      stopPostgres();
      postgres = startPostgres(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
