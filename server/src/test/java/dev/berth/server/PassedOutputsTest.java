package dev.berth.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Attempt;
import dev.berth.model.JobReason;
import dev.berth.model.JobStatus;
import dev.berth.spi.JobRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a follower's question is answered that came through another server. */
@Timeout(60)
class PassedOutputsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LONG = Duration.ofMinutes(10);

  private final AtomicInteger looks = new AtomicInteger();

  static Attempt running() {
    return new Attempt(
        "r1-0-0-1",
        "main",
        "r1",
        "r1-0-0",
        1,
        "r1-0-p1",
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

  static JobRuntime.Output piece(
      Map<JobRuntime.Stream, JobRuntime.Output> pieces, JobRuntime.Stream stream) {
    return Objects.requireNonNull(pieces.get(stream));
  }

  /** Output that is there from a look on, on standard error only. */
  private JobOutputs writtenBefore(int look) {
    return new JobOutputs() {
      @Override
      public JobRuntime.Output read(
          Attempt attempt, JobRuntime.Stream stream, long offset, int limit) {
        boolean there = stream == JobRuntime.Stream.STDERR && looks.incrementAndGet() >= look;
        byte[] bytes = there ? "no".getBytes(UTF_8) : new byte[0];
        return new JobRuntime.Output(bytes, offset + bytes.length, false);
      }

      @Override
      public boolean isFar(Attempt attempt) {
        return false;
      }
    };
  }

  private Map<JobRuntime.Stream, JobRuntime.Output> ask(
      Function<String, Attempt> attempts, JobOutputs outputs, Duration longest) {
    Answer answer =
        new PassedOutputs(attempts, outputs, longest)
            .answer(
                new Passed.FollowQuestion(
                    "r1-0-0-1",
                    Map.of(JobRuntime.Stream.STDOUT, 5L, JobRuntime.Stream.STDERR, 7L),
                    100));
    assertThat(answer.status()).isEqualTo(200);
    return ApiJson.MAPPER.readValue(answer.body(), Passed.Pieces.class).streams();
  }

  @Test
  void itWaitsUntilOneOfTheStreamsHasSomethingNew() {
    var pieces = ask(_ -> running(), writtenBefore(4), LONG);
    assertThat(looks).hasValue(4);
    assertThat(piece(pieces, JobRuntime.Stream.STDERR).bytes()).isEqualTo("no".getBytes(UTF_8));
    assertThat(piece(pieces, JobRuntime.Stream.STDERR).nextOffset()).isEqualTo(9);
    assertThat(piece(pieces, JobRuntime.Stream.STDOUT).nextOffset()).isEqualTo(5);
  }

  @Test
  void itDoesNotWaitForWhatHasEnded() {
    var pieces =
        ask(
            _ ->
                looks.get() < 2
                    ? running()
                    : running().ended(JobReason.EXECUTOR_ERROR, null, 1, NOW),
            writtenBefore(100),
            LONG);
    assertThat(looks).hasValue(3);
    assertThat(piece(pieces, JobRuntime.Stream.STDERR).bytes()).isEmpty();
  }

  @Test
  void itIsAnsweredAfterAWhileInAnyCase() {
    assertThat(ask(_ -> running(), writtenBefore(100), Duration.ZERO)).hasSize(2);
    assertThat(looks).hasValue(1);
  }
}
