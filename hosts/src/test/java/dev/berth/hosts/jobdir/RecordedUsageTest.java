package dev.berth.hosts.jobdir;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.access.local.ThisMachine;
import dev.berth.spi.JobUsage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read of the file that runners write samples to. */
final class RecordedUsageTest {
  private static final Instant AT = Instant.ofEpochSecond(1_800_000_000);

  @TempDir Path folder;

  private JobDirectory written(String lines, Instant at) throws IOException {
    Files.writeString(folder.resolve("metrics"), lines);
    Files.setLastModifiedTime(folder.resolve("metrics"), FileTime.from(at));
    return new JobDirectory(ThisMachine.ACCESS.files(), path(folder));
  }

  @Test
  void theNewestWholeLineCounts() throws IOException {
    String many = "1799999000 1 2\n".repeat(1000);
    assertThat(
            RecordedUsage.last(
                written(many + "1800000000 4200 1024\n18000", AT.plusSeconds(9)), null))
        .contains(new JobUsage(AT, Duration.ofMillis(4200), 1024, null));
  }

  @Test
  void theTimeOfTheFileTellsTheMomentMoreExactly() throws IOException {
    Instant written = AT.plusMillis(730);
    assertThat(RecordedUsage.last(written("1800000000 1 2\n", written), 7L))
        .contains(new JobUsage(written, Duration.ofMillis(1), 2, 7L));
  }

  @Test
  void aLineThatComesWhileTheFileIsReadHasItsOwnTime() throws IOException {
    String first = "1799999999 1 2\n";
    written(first, AT.minusMillis(500));
    JobDirectory growing =
        new JobDirectory(ThisMachine.ACCESS.files(), path(folder)) {
          @Override
          public long size(String name) {
            try {
              written(first + "1800000000 4200 1024\n", AT.plusMillis(300));
            } catch (IOException failure) {
              throw new UncheckedIOException(failure);
            }
            return super.size(name);
          }
        };
    assertThat(RecordedUsage.last(growing, null))
        .contains(new JobUsage(AT, Duration.ofMillis(4200), 1024, null));
  }

  @Test
  void nothingIsReadOutOfNothing() throws IOException {
    assertThat(RecordedUsage.last(new JobDirectory(ThisMachine.ACCESS.files(), path(folder)), null))
        .isEmpty();
    assertThat(RecordedUsage.last(written("", AT), null)).isEmpty();
    assertThat(RecordedUsage.last(written("1800000000 1", AT), null)).isEmpty();
    assertThat(RecordedUsage.last(written("1800000000 many 2\n", AT), null)).isEmpty();
  }
}
