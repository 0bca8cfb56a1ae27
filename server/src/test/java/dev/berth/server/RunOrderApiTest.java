package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.FieldChange;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which run comes first: priorities, dependencies, schedules, second tries. */
@Timeout(120)
class RunOrderApiTest {
  private static final String PROJECT = RunningServer.PROJECT;

  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private RunningServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RunningServer(home);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static RunRequest task(String name, String command, Object... more) {
    Map<String, @Nullable Object> configuration =
        new LinkedHashMap<>(RunningServer.task(name, command).configuration());
    for (int i = 0; i < more.length; i += 2) {
      configuration.put(String.valueOf(more[i]), more[i + 1]);
    }
    return new RunRequest(name, configuration);
  }

  private RunView run(String name) {
    return server.client().get(PROJECT, name).run();
  }

  @Test
  void aFileThatDiffersInPriorityOnlyChangesTheActiveRun() {
    RunView first = server.submit(task("busy", "sleep 600", "priority", 3));
    assertThat(first.priority()).isEqualTo(3);
    RunRequest urgent = task("busy", "sleep 600", "priority", 90);
    PlanView plan = server.client().plan(PROJECT, urgent);
    assertThat(plan.action()).isEqualTo("update");
    assertThat(plan.changes()).containsExactly(new FieldChange("priority", "3", "90"));
    RunView updated = server.client().submit(PROJECT, urgent, "key");
    assertThat(updated.id()).isEqualTo(first.id());
    assertThat(updated.priority()).isEqualTo(90);
    // Asked once more with the same key, and measured against what the run has now.
    assertThat(server.client().submit(PROJECT, urgent, "key").id()).isEqualTo(first.id());
    assertThat(server.client().plan(PROJECT, urgent).changes()).isEmpty();

    RunRequest other = task("busy", "sleep 601", "priority", 1);
    assertThat(server.client().plan(PROJECT, other).action()).isEqualTo("submit");
    assertThatThrownBy(() -> server.submit(other))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(409))
        .hasMessageContaining("stop it first");
    server.client().stop(PROJECT, "busy", true);
    // Its job writes into the folder of the test as long as it lives.
    Await.until(() -> run("busy").finishedAt() != null);
  }

  @Test
  void aRunWaitsForThoseItComesAfter() {
    server.submit(task("first", "sleep 600"));
    server.submit(task("second", "echo then", "after", List.of("first")));
    RunView waiting = run("second");
    assertThat(waiting.status()).isEqualTo("pending");
    assertThat(waiting.after()).containsExactly("first");
    server.client().stop(PROJECT, "first", true);
    Await.until(() -> run("second").finishedAt() != null);
    assertThat(run("second").reason()).isEqualTo("dependency_failed");
    assertThat(run("second").after()).as("it waits no longer").isEmpty();
    assertThat(run("second").message()).contains("the run 'first'").contains("was stopped");
  }

  @Test
  void whatIsDoneIsWaitedForNoLongerAndWhatFailedIsRefused() {
    server.outputOf(server.submit(task("done", "true")).id());
    server.outputOf(server.submit(task("lost", "exit 3")).id());
    RunView after = server.submit(task("next", "echo go", "after", List.of("done")));
    assertThat(after.after()).isEmpty();
    assertThat(server.outputOf("next")).isNotEmpty();
    RunRequest vain = task("vain", "true", "after", List.of("done", "lost", "nobody"));
    assertThat(server.client().plan(PROJECT, vain).refusals())
        .extracting("path")
        .containsExactly("after[1]", "after[2]");
    assertThatThrownBy(() -> server.submit(vain))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(422))
        .hasMessageContaining("the run 'lost' has failed");
  }

  @Test
  void aScheduledRunSaysWhenItStarts() {
    RunView scheduled =
        server.submit(task("nightly", "true", "schedule", Map.of("cron", List.of("0 3 * * *"))));
    assertThat(scheduled.status()).isEqualTo("pending");
    assertThat(scheduled.nextAt()).isNotNull();
    assertThat(scheduled.attempt()).isNull();
    server.client().stop(PROJECT, "nightly", false);
    assertThat(run("nightly").nextAt()).isNull();
  }

  @Test
  void aRunThatIsTriedAgainSaysWhyAndWhen() {
    server.submit(
        task(
            "again",
            "true",
            "resources",
            Map.of("cpu", Map.of("count", Map.of("min", 100_000))),
            "retry",
            Map.of("on_events", List.of("no-capacity"), "duration", 3600)));
    Await.until(() -> run("again").status().equals("pending"));
    RunView pending = run("again");
    assertThat(pending.nextAt()).isNotNull();
    assertThat(pending.message()).contains("no machine matches 'resources'");
    assertThat(pending.attempt()).isEqualTo(1);
    server.client().stop(PROJECT, "again", true);
  }

  @Test
  void whileARunIsTriedAgainItsOutputIsThatOfTheAttemptBefore() {
    server.submit(
        task(
            "flaky",
            "echo first; exit 3",
            "retry",
            Map.of("on_events", List.of("error"), "duration", 3600)));
    Await.until(() -> Integer.valueOf(2).equals(run("flaky").attempt()));
    assertThat(new String(log("flaky", 0), StandardCharsets.UTF_8)).isEqualTo("first\n");
    assertThatThrownBy(() -> log("flaky", 2))
        .isInstanceOfSatisfying(ClientException.class, e -> assertThat(e.status()).isEqualTo(409))
        .hasMessageContaining("attempt 2 of the run 'flaky'");
    server.client().stop(PROJECT, "flaky", true);
    Await.until(() -> run("flaky").finishedAt() != null);
  }

  private byte[] log(String name, int attempt) {
    return server
        .client()
        .log(PROJECT, name, new BerthClient.Source(0, attempt), "stdout", 0)
        .bytes();
  }

  @Test
  void nodesOfGroupsAreCounted() {
    Map<String, Object> two = Map.of("nodes", 2, "commands", List.of("true"));
    Map<String, Object> one = Map.of("commands", List.of("true"));
    Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    configuration.put("type", "task");
    configuration.put("name", "groups");
    configuration.put("groups", List.of(two, one));
    RunView run = server.submit(new RunRequest("groups", configuration));
    assertThat(run.nodes()).isEqualTo(3);
    server.client().stop(PROJECT, "groups", true);
    Await.until(() -> run("groups").finishedAt() != null);
  }
}
