package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MeasuredTextTest {
  @Test
  void theTimeThatACommandTellsIsComparedWithOurs() throws Exception {
    Instant from = Instant.ofEpochSecond(1_800_000_000, 1_000_000);
    byte[] told = "1800000000026500000\n".getBytes(StandardCharsets.US_ASCII);
    assertThat(SubmitToStart.millisSince(from, told)).isEqualTo(25.5);
  }

  @Test
  void aCommandThatTellsNoTimeIsAFailure() {
    // Some implementations of date print the letter.
    byte[] told = "1800000000N\n".getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> SubmitToStart.millisSince(Instant.EPOCH, told))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("1800000000N");
  }

  @Test
  void residentMemoryIsReadFromTheStatusOfAProcess() throws Exception {
    String status = "Name:\tjava\nVmPeak:\t 4000000 kB\nVmRSS:\t  146484 kB\nThreads:\t30\n";
    assertThat(ServerIdleMemory.residentMegabytes(status)).isEqualTo(149.999616);
  }

  @Test
  void aMetricIsSummedOverItsLabels() {
    String page =
        """
        # TYPE calls_total counter
        calls_total{kind="read",note="a b"} 12.0
        calls_total{kind="launch"} 3.0
        calls_total_more 5.0
        one_total 1.0
        """;
    assertThat(TemporaryServer.sum(page, "calls_total")).isEqualTo(15);
    assertThat(TemporaryServer.sum(page, "one_total")).isEqualTo(1);
    assertThat(TemporaryServer.sum(page, "none")).isZero();
  }
}
