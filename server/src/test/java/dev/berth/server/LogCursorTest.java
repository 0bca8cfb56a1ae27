package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Attempt;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.spi.JobRuntime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output is read one attempt after the other, each from its beginning. */
final class LogCursorTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final LogCursor cursor = new LogCursor();

  private static Attempt running(int number) {
    return new Attempt(
        "r1-0-0-" + number,
        "main",
        "r1",
        "r1-0-0",
        number,
        "r1-0-p" + number,
        JobStatus.RUNNING,
        null,
        null,
        null,
        null,
        "local",
        0,
        NOW,
        NOW,
        null,
        null);
  }

  private static Attempt ended(int number) {
    return running(number).ended(JobReason.EXECUTOR_ERROR, null, 1, NOW);
  }

  @Test
  void theNewestIsReadFirstAndThenThoseThatCome() {
    assertThat(cursor.moveOn(List.of())).isFalse();
    assertThat(cursor.moveOn(List.of(ended(1), running(2)))).isTrue();
    assertThat(cursor.current(List.of(ended(1), running(2)))).contains(running(2));
    cursor.advance(JobRuntime.Stream.STDOUT, 70);
    assertThat(cursor.moveOn(List.of(ended(1), running(2)))).as("it still runs").isFalse();
    assertThat(cursor.moveOn(List.of(ended(1), ended(2)))).as("it is the last").isFalse();
    assertThat(cursor.moveOn(List.of(ended(1), ended(2), ended(3), running(4)))).isTrue();
    assertThat(cursor.id()).as("none is left out").isEqualTo("r1-0-0-3:0:0");
  }

  @Test
  void whoComesBackGoesOnWhereHeWas() {
    cursor.moveOn(List.of(running(1)));
    cursor.advance(JobRuntime.Stream.STDERR, 5);
    LogCursor again = LogCursor.parse(cursor.id());
    assertThat(again.current(List.of(ended(1), running(2)))).contains(ended(1));
    assertThat(again.offset(JobRuntime.Stream.STDERR)).isEqualTo(5);
    assertThat(again.offset(JobRuntime.Stream.STDOUT)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1:2", "a:b:c", "a:1:2:3"})
  void whatWasNotGivenOutIsRefused(String id) {
    assertThatThrownBy(() -> LogCursor.parse(id)).isInstanceOf(ApiException.class);
  }
}
