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
}
