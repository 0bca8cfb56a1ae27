package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.DoctorView;
import dev.berth.model.api.EventView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks of a real server at real receivers. */
class WebhookApiTest {
  @TempDir Path home = Path.of("");

  @SuppressWarnings("NullAway.Init") // set before each test
  private Receiver receiver;

  @BeforeEach
  void listen() throws IOException {
    receiver = new Receiver();
    Files.writeString(home.resolve("hook.key"), "canary-of-the-hook\n");
  }

  @AfterEach
  void stop() {
    receiver.close();
  }

  private void declare(String... hooks) throws IOException {
    Path fresh = Files.writeString(home.resolve("fresh"), "webhooks:\n" + String.join("", hooks));
    // At once, as editors do: a file that is half written would have mistakes.
    Files.move(
        fresh,
        home.resolve("server.yml"),
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static String hook(String name, String url, String more) {
    return "  - {name: %s, url: \"%s\", secret-file: hook.key%s}\n".formatted(name, url, more);
  }

  /** A server whose webhook has begun: what happens from now on is for it. */
  private RunningServer started(String name) throws IOException {
    RunningServer running = new RunningServer(home);
    Await.until(
        () ->
            running.client().doctor().checks().stream()
                .anyMatch(check -> check.part().equals("webhook " + name)));
    return running;
  }

  private static List<Long> ended(RunningServer running) {
    return running.client().allEvents(0, 1000, 0).events().stream()
        .filter(event -> event.kind().equals("run.ended"))
        .map(EventView::seq)
        .toList();
  }

  private static List<Long> numbers(List<Receiver.Heard> heard) {
    return heard.stream().map(Receiver.Heard::seq).distinct().toList();
  }

  @Test
  void eventsComeInOrderAndAreTriedAgainWhereTheReceiverFails() throws Exception {
    declare(hook("chat", receiver.url(), ", events: [run.ended]"));
    // The second event is refused, then sent elsewhere, and then taken.
    receiver.answering(number -> number == 2 ? 500 : number == 3 ? 302 : 204);
    try (RunningServer running = started("chat")) {
      for (String name : List.of("one", "two", "three")) {
        running.submit(RunningServer.task(name, "true"));
        running.outputOf(name);
      }
      Await.until(() -> receiver.taken().size() >= 3);
      assertThat(numbers(receiver.taken())).isEqualTo(ended(running));
      List<Receiver.Heard> heard = receiver.heard();
      assertThat(heard).hasSize(5);
      // A redirect is not followed, and each try of an event has its one id.
      assertThat(heard).extracting(Receiver.Heard::path).containsOnly("/");
      assertThat(heard.get(1).id()).isEqualTo(heard.get(2).id()).isEqualTo(heard.get(3).id());
      assertThat(heard.get(0).id()).isNotEqualTo(heard.get(1).id());
      assertThat(heard.getFirst().json().get("type").asString()).isEqualTo("run.ended");
      assertThat(heard.getFirst().signature()).startsWith("v1,");
      assertThat(heard).noneMatch(one -> one.body().contains("canary-of-the-hook"));
    }
  }

  @Test
  void whatHappenedBeforeARestartIsSentAfterIt() throws Exception {
    declare(hook("chat", receiver.url(), ", events: [run.ended]"));
    List<Long> expected;
    try (RunningServer running = started("chat")) {
      running.submit(RunningServer.task("one", "true"));
      running.outputOf("one");
      Await.until(() -> receiver.taken().size() == 1);
      receiver.answering(_ -> 503);
      running.submit(RunningServer.task("two", "true"));
      running.outputOf("two");
      running.submit(RunningServer.task("three", "true"));
      running.outputOf("three");
      Await.until(() -> receiver.heard().size() > 1);
      expected = ended(running);
    }
    receiver.answering(_ -> 200);
    try (RunningServer _ = new RunningServer(home)) {
      Await.until(() -> numbers(receiver.taken()).size() == 3);
      assertThat(numbers(receiver.taken())).isEqualTo(expected);
      // What was taken before the restart was kept, and is not sent again.
      assertThat(receiver.taken()).filteredOn(one -> one.seq() == expected.getFirst()).hasSize(1);
    }
  }

  @Test
  void oneThatNeverAnswersHoldsUpNobodyAndIsNamedByTheDoctor() throws Exception {
    try (Receiver silent = new Receiver();
        Receiver broken = new Receiver()) {
      silent.answering(_ -> 0);
      broken.answering(_ -> 500);
      declare(
          hook("silent", silent.url(), ""),
          hook("broken", broken.url(), ""),
          hook("chat", receiver.url(), ", events: [\"run.*\"], projects: [main]"));
      try (RunningServer running = started("chat")) {
        running.submit(RunningServer.task("one", "true"));
        running.outputOf("one");
        Await.until(
            () ->
                receiver.taken().stream()
                    .anyMatch(one -> one.json().get("type").asString().equals("run.ended")));
        assertThat(receiver.taken())
            .allMatch(one -> one.json().get("type").asString().startsWith("run."));
        Await.until(() -> isTroubled(running, "webhook broken", "status 500"));
      }
    }
  }

  private static boolean isTroubled(RunningServer running, String part, String words) {
    return running.client().doctor().checks().stream()
        .filter(check -> check.part().equals(part))
        .filter(check -> check.state().equals("warn"))
        .map(DoctorView.Check::sentence)
        .anyMatch(sentence -> sentence.contains(words));
  }

  @Test
  void theFileAddsAndRemovesWebhooksWhileTheServerRuns() throws Exception {
    declare(hook("first", receiver.url(), ", events: [user.created]"));
    try (RunningServer running = started("first");
        Receiver second = new Receiver()) {
      declare(hook("second", second.url(), ", events: [user.created]"));
      Await.until(
          () ->
              running.client().doctor().checks().stream()
                  .map(DoctorView.Check::part)
                  .filter(part -> part.startsWith("webhook "))
                  .toList()
                  .equals(List.of("webhook second")));
      new People(running).user("ann", "user");
      Await.until(() -> second.taken().size() == 1);
      assertThat(receiver.heard()).isEmpty();
    }
  }
}
