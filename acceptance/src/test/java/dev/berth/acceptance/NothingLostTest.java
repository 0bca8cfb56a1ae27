package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.CrashingServer.Crash;
import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.control.FailPoint;
import dev.berth.ledger.SqliteLedger;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Clients submit runs to a simulated cloud over a network that loses a third of the answers, while
 * the server dies before and after commits and calls. In the end there are as many runs as were
 * submitted, all have ended well, and the cloud has nothing left.
 */
class NothingLostTest {
  private static final String PROJECT = "main";
  private static final String BACKEND = "cloud";
  private static final int LOST_PERCENT = 30;
  private static final int CLIENTS = 4;

  /** So many runs are under way at one time: a server that dies asks for all of them again. */
  private static final int UNDER_WAY = 40;

  /** Ten thousand deletes at a cloud whose file is written anew for each take their time. */
  private static final Duration LONGEST_END = Duration.ofHours(1);

  private static final Map<String, @Nullable Object> CLOUD =
      Map.of(
          "state",
          "file",
          "scenario",
          Map.of("boot_time", "100ms", "command_time", "50ms", "concurrent_calls", 16));

  private static int submits() {
    return Soak.count(300, 50);
  }

  private static int deathsAtEachPoint() {
    return Soak.count(2, 0.125);
  }

  @Test
  void everySubmitIsOneRunThatEndsWellAndLeavesNothing() throws Exception {
    long seed = new SplittableRandom().nextLong();
    System.out.println("NothingLostTest seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    try (TestHome home = TestHome.fresh()) {
      try (RestartedServer server = new RestartedServer(home, List.of())) {
        try (BerthClient client = server.client()) {
          client.addBackend(PROJECT, new BackendRequest(BACKEND, "sim", CLOUD));
        }
        server.end();
      }
      play(home, random);
      home.awaitNothingLeft();
      home.delete();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private static void play(TestHome home, SplittableRandom random) throws Exception {
    try (RestartedServer server = new RestartedServer(home, plan(random));
        CuttingProxy proxy = new CuttingProxy(server::url, LOST_PERCENT, random.split());
        RunFollower follower = new RunFollower(PROJECT, server::client)) {
      Map<Integer, String> answers = submitAll(proxy, server, follower);
      follower.awaitEnds(submits());
      System.out.printf(
          "NothingLostTest: %d submits, %d answers lost, %d passed, servers killed: %s%n",
          submits(), proxy.cut(), proxy.passed(), server.hits());
      assertThat(server.hits()).containsOnlyKeys(FailPoint.values());
      assertThat(server.hits().values()).allMatch(hits -> hits >= deathsAtEachPoint());
      assertThat(proxy.cut()).isGreaterThan(submits() / 5);
      check(home, server, answers, follower);
      server.end();
    }
    endWithNothingToDo(home);
    CloudRemains.of(home, BACKEND, CLOUD).assertNothingHeld();
    try (SqliteLedger ledger = SqliteLedger.open(home.folder().resolve("server/berth.db"))) {
      assertThat(ledger.unfinishedActions("main")).as("unfinished actions").isEmpty();
    }
  }

  /** A last server finishes what is unfinished, and ends by itself when it has nothing to do. */
  private static void endWithNothingToDo(TestHome home) {
    home.set("BERTH_FAIL_AT", "").set("BERTH_EMBEDDED_IDLE_SECONDS", "1");
    home.startProgram(Distribution.server(home.scratch()), home.scratch())
        .await(LONGEST_END)
        .expect(0);
  }

  /** Deaths at all points in any order, each so early that there is work left for the next. */
  private static List<Crash> plan(SplittableRandom random) {
    int deaths = deathsAtEachPoint() * FailPoint.values().length;
    int most = Math.max(1, submits() / (3 * deaths));
    List<Crash> plan = new ArrayList<>();
    for (FailPoint point : FailPoint.values()) {
      for (int i = 0; i < deathsAtEachPoint(); i++) {
        plan.add(new Crash(point, 1 + random.nextInt(most)));
      }
    }
    Collections.shuffle(plan, new Random(random.nextLong()));
    return plan;
  }

  /** The id of the run that was answered to each submit. */
  private static Map<Integer, String> submitAll(
      CuttingProxy proxy, RestartedServer server, RunFollower follower) throws Exception {
    Map<Integer, String> answers = new ConcurrentHashMap<>();
    try (BerthClient client = new BerthClient(proxy.url(), server.token())) {
      Parallel.each(
          CLIENTS,
          submits(),
          number -> {
            follower.awaitEnds(number - UNDER_WAY);
            RunView run = submit(client, number);
            assertThat(run.name()).isEqualTo("submit-" + number);
            answers.put(number, run.id());
          });
    }
    return answers;
  }

  /** Repeats the same request with the same key until somebody answers. */
  private static RunView submit(BerthClient client, int number) {
    Map<String, @Nullable Object> task = new HashMap<>();
    task.put("type", "task");
    task.put("commands", List.of("work"));
    task.put("backends", List.of(BACKEND));
    RunRequest request = new RunRequest("submit-" + number, task);
    while (true) {
      try {
        return client.submit(PROJECT, request, "key-" + number);
      } catch (ClientException e) {
        if (!e.isUnreachable()) {
          throw e;
        }
      }
    }
  }

  private static void check(
      TestHome home, RestartedServer server, Map<Integer, String> answers, RunFollower follower)
      throws Exception {
    assertThat(follower.runs("run.submitted"))
        .as("submits that were told")
        .doesNotHaveDuplicates()
        .hasSize(submits());
    assertThat(follower.runs("run.ended"))
        .as("ends that were told")
        .doesNotHaveDuplicates()
        .hasSize(submits());
    try (BerthClient client = server.client()) {
      List<RunView> runs = follower.all(client);
      assertThat(runs)
          .extracting(RunView::id)
          .as("runs")
          .doesNotHaveDuplicates()
          .containsExactlyInAnyOrderElementsOf(answers.values());
      assertThat(runs).doesNotHaveDuplicates().hasSize(submits());
      assertThat(runs)
          .allSatisfy(
              run -> {
                assertThat(run.status()).isEqualTo("done");
                assertThat(run.exitCode()).isZero();
              });
      // One key at the cloud for each run: nothing was bought twice, and all of it has ended.
      CloudRemains.of(home, BACKEND, CLOUD).assertEnded(submits());
      Parallel.each(CLIENTS, runs.size(), i -> client.delete(PROJECT, runs.get(i).id()));
      follower.awaitDeleted(submits());
    }
  }
}
