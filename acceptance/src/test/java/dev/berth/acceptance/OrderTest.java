package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.BerthClient;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many more runs than there are places wait in a line: who comes first starts first, higher
 * priorities go before, and who was stopped never starts.
 */
class OrderTest {
  private static final String PROJECT = "main";
  private static final String BACKEND = "yard";
  private static final int CLIENTS = 8;

  private TestHome home;
  private RestartedServer server;
  private RunFollower follower;
  private BerthClient client;

  private static int runs() {
    return Soak.count(300, 10);
  }

  private static String waitsFor(Path gate) {
    return "while [ ! -e '" + gate + "' ]; do sleep 0.2; done";
  }

  private static int places() {
    return Soak.count(10, 0.25);
  }

  @BeforeEach
  void open() {
    home = TestHome.fresh();
    server = new RestartedServer(home, List.of());
    client = server.client();
    client.addBackend(PROJECT, new BackendRequest(BACKEND, "local", Map.of("slots", places())));
    follower = new RunFollower(PROJECT, server::client);
  }

  @AfterEach
  void close() {
    follower.close();
    client.close();
    server.end();
    home.close();
    home.delete();
  }

  @Test
  void equalRunsStartInTheOrderInWhichTheyWereSubmitted() throws Exception {
    Path gate = home.scratch().resolve("gate");
    submit(runs(), "run-", waitsFor(gate), null);
    awaitPlaced(places());
    Files.createFile(gate);
    follower.awaitEnds(runs());
    List<String> submitted = follower.runs("run.submitted");
    assertThat(submitted).doesNotHaveDuplicates().hasSize(runs());
    assertThat(placed()).as("order of starts").containsExactlyElementsOf(submitted);
    assertThat(mostAtOnce()).as("runs at once").isEqualTo(places());
  }

  @Test
  void higherPrioritiesStartBeforeAllLowerOnesThatWait() throws Exception {
    Path gate = home.scratch().resolve("gate");
    submit(places(), "first-", waitsFor(gate), null);
    awaitPlaced(places());
    int each = runs() / 4;
    submit(each, "low-", "true", 10);
    submit(each, "high-", "true", 20);
    submit(each, "higher-", "true", 30);
    Files.createFile(gate);
    follower.awaitEnds(places() + 3 * each);
    Map<String, String> names = names();
    List<String> started =
        placed().stream()
            .map(run -> String.valueOf(names.get(run)))
            .map(name -> name.replaceAll("[0-9]", ""))
            .toList();
    List<String> expected = new ArrayList<>();
    expected.addAll(Collections.nCopies(places(), "first-"));
    expected.addAll(Collections.nCopies(each, "higher-"));
    expected.addAll(Collections.nCopies(each, "high-"));
    expected.addAll(Collections.nCopies(each, "low-"));
    assertThat(started).as("order of starts").isEqualTo(expected);
    for (String wave : List.of("higher-", "high-", "low-")) {
      assertThat(wave(placed(), names, wave))
          .as("order within one priority")
          .isEqualTo(wave(follower.runs("run.submitted"), names, wave));
    }
  }

  @Test
  void nothingStartsAfterTheLastStopWasAnswered() throws Exception {
    Path started = home.scratch().resolve("started");
    String notes = "basename \"$BERTH_JOB_DIRECTORY\" >>'" + started + "'; sleep 600";
    submit(runs(), "run-", notes, null);
    awaitPlaced(places());
    // Who has a place need not have begun, and would never note anything if it were stopped now.
    Await.until("as many have begun as there are places", () -> lines(started) >= places());
    // What is answered is told soon after, and one that is not known here would never be stopped.
    follower.await("all were submitted", () -> follower.runs("run.submitted").size() == runs());
    List<String> ids = new ArrayList<>(follower.runs("run.submitted"));
    long seed = new SplittableRandom().nextLong();
    Collections.shuffle(ids, new Random(seed));
    Parallel.each(CLIENTS, ids.size(), i -> client.stop(PROJECT, ids.get(i), false));
    follower.awaitEnds(runs());
    assertThat(follower.runs("run.stop_requested")).doesNotHaveDuplicates().hasSize(runs());
    // The answer comes after this, so whatever starts after the answer comes after this too.
    List<EventView> events = follower.events();
    int lastStop = lastIndexOf("run.stop_requested", events);
    assertThat(events.subList(lastStop, events.size()))
        .as("after the last stop of those in the order of seed %d", seed)
        .noneMatch(OrderTest::isStart);
    assertThat(follower.all(client)).extracting(RunView::status).containsOnly("terminated");
    assertNobodyElseStarted(started);
  }

  private static long lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What noted that it ran must be what was told to have been placed, each once. */
  private void assertNobodyElseStarted(Path started) throws IOException {
    Set<String> told = new HashSet<>();
    follower.events().stream()
        .filter(event -> event.kind().equals("attempt.placed"))
        .forEach(event -> told.add(event.entityId()));
    List<String> ran = Files.readAllLines(started);
    assertThat(ran).as("jobs that ran").doesNotHaveDuplicates().isSubsetOf(told);
    assertThat(ran).hasSizeGreaterThanOrEqualTo(places()).hasSizeLessThan(runs());
  }

  private static boolean isStart(EventView event) {
    return event.kind().equals("attempt.placed")
        || event.kind().equals("attempt.started")
        || (event.kind().equals("run.status") && "running".equals(event.data().get("to")));
  }

  private void submit(int count, String prefix, String command, @Nullable Integer priority)
      throws InterruptedException {
    Parallel.each(
        CLIENTS,
        count,
        number -> {
          Map<String, @Nullable Object> task = new HashMap<>();
          task.put("type", "task");
          task.put("commands", List.of(command));
          task.put("backends", List.of(BACKEND));
          task.put("stop_duration", 5);
          if (priority != null) {
            task.put("priority", priority);
          }
          String name = prefix + number;
          client.submit(PROJECT, new RunRequest(name, task), name);
        });
  }

  /** The runs in the order in which they got a place. */
  private List<String> placed() {
    return follower.runs("attempt.placed").stream().map(OrderTest::runOf).toList();
  }

  /** The run of an attempt: ids of attempts begin with it. */
  private static String runOf(String attempt) {
    return attempt.substring(0, attempt.indexOf('-'));
  }

  private void awaitPlaced(int count) {
    follower.await(count + " runs have a place", () -> placed().size() >= count);
  }

  private Map<String, String> names() {
    Map<String, String> names = new HashMap<>();
    follower.events().stream()
        .filter(event -> event.kind().equals("run.submitted"))
        .forEach(event -> names.put(event.entityId(), String.valueOf(event.data().get("name"))));
    return names;
  }

  private static List<String> wave(List<String> ids, Map<String, String> names, String prefix) {
    return ids.stream().filter(id -> String.valueOf(names.get(id)).startsWith(prefix)).toList();
  }

  /** The largest number of runs that had a place at one time, by the events. */
  private int mostAtOnce() {
    int now = 0;
    int most = 0;
    for (EventView event : follower.events()) {
      now += event.kind().equals("attempt.placed") ? 1 : 0;
      now -= event.kind().equals("attempt.ended") ? 1 : 0;
      most = Math.max(most, now);
    }
    return most;
  }

  private static int lastIndexOf(String kind, List<EventView> events) {
    int last = -1;
    for (int i = 0; i < events.size(); i++) {
      last = events.get(i).kind().equals(kind) ? i : last;
    }
    return last;
  }
}
