package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.RunDetail;
import dev.berth.model.api.RunView;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of runs while they are watched and tried again. */
final class RunWatchTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final String WHY = "the commands ended with exit code 3";

  private final Map<String, RunView> ended = new HashMap<>();
  private final RunWatch watch = new RunWatch(ended::get);

  private static RunView run(
      String status, double cost, @Nullable Integer attempt, @Nullable Instant next) {
    return new RunView(
        "r1",
        "train",
        "task",
        "main",
        "ann",
        status,
        null,
        next == null ? null : WHY,
        null,
        null,
        null,
        cost,
        0,
        1,
        attempt,
        List.of(),
        next,
        NOW,
        null);
  }

  @Test
  void onlyChangesCount() {
    RunView running = run("running", 1, 1, null);
    assertThat(watch.changes(List.of(running))).containsExactly(running);
    assertThat(watch.changes(List.of(run("running", 2, 1, null)))).as("it costs more").isEmpty();
    RunView again = run("pending", 2, 2, NOW.plusSeconds(30));
    assertThat(watch.changes(List.of(again))).containsExactly(again);
    RunView done = run("done", 2, null, null);
    ended.put("r1", done);
    assertThat(watch.changes(List.of())).as("it left the list").containsExactly(done);
    assertThat(watch.changes(List.of())).isEmpty();
  }

  @Test
  void aDeletedRunIsNotMissed() {
    watch.changes(List.of(run("running", 1, 1, null)));
    assertThat(watch.changes(List.of())).isEmpty();
  }

  @Test
  void aRetrySaysWhenAndWhy() {
    assertThat(RunWatch.line(run("pending", 0, 2, NOW.plusMillis(29_100)), NOW))
        .isEqualTo("train pending: attempt 2 in 30 s: " + WHY);
    assertThat(RunWatch.line(run("pending", 0, 3, NOW.plusSeconds(600)), NOW))
        .isEqualTo("train pending: attempt 3 in 10 min: " + WHY);
    assertThat(RunWatch.line(run("running", 0, 1, null), NOW)).isEqualTo("train running");
  }

  @Test
  void aScheduleIsNoRetry() {
    assertThat(NextAttempt.of(run("pending", 0, null, NOW.plusSeconds(30)), NOW)).isEmpty();
  }

  @Test
  void anAttemptThatBeginsSaysWhatBecameOfTheOneBefore() {
    RunView waits = run("pending", 0, 2, NOW.plusSeconds(15));
    assertThat(NextAttempt.of(new RunDetail(waits, Map.of(), List.of()), 0, 2, NOW))
        .isEqualTo("attempt 2 of train in 15 s: " + WHY);
    assertThat(NextAttempt.of(new RunDetail(waits, Map.of(), List.of()), 0, 2, NOW.plusSeconds(15)))
        .isEqualTo("attempt 2 of train: " + WHY);
    assertThat(
            NextAttempt.of(
                new RunDetail(run("running", 0, 2, null), Map.of(), List.of()), 0, 2, NOW))
        .isEqualTo("attempt 2 of train");
  }
}
