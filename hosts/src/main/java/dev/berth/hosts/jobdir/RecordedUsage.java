package dev.berth.hosts.jobdir;

import dev.berth.spi.JobUsage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What runners wrote down of the use of their jobs. A runner measures its job anyway, so that to
 * look at a file's end is all it costs, also for jobs in containers, and also while their engine is
 * busy.
 */
public final class RecordedUsage {
  private static final String FILE = "metrics";

  /** More than the longest two lines. */
  private static final int TAIL = 256;

  /** A line tells whole seconds; the file's time tells the same moment better. */
  private static final Duration SAME_MOMENT = Duration.ofSeconds(2);

  private RecordedUsage() {}

  /** The newest sample of a job; empty where there is none yet. */
  public static Optional<JobUsage> last(JobDirectory directory, @Nullable Long memoryLimit) {
    Optional<Instant> before = directory.modified(FILE);
    Optional<String> line = lastLine(directory);
    // A line that came while we looked is not of the time that we saw.
    Optional<Instant> written =
        directory.modified(FILE).filter(time -> before.equals(Optional.of(time)));
    return line.flatMap(UsageSample::parse)
        .map(
            sample ->
                new JobUsage(
                    written
                        .filter(
                            time ->
                                Duration.between(sample.at(), time).abs().compareTo(SAME_MOMENT)
                                    <= 0)
                        .orElse(sample.at()),
                    sample.processorTime(),
                    sample.memoryBytes(),
                    memoryLimit));
  }

  /** The last whole line of a file that may grow without bounds. */
  private static Optional<String> lastLine(JobDirectory directory) {
    long from = Math.max(0, directory.size(FILE) - TAIL);
    String tail = new String(directory.bytes(FILE, from, 2 * TAIL), StandardCharsets.US_ASCII);
    int end = tail.lastIndexOf('\n');
    return end < 0
        ? Optional.empty()
        : Optional.of(tail.substring(tail.lastIndexOf('\n', end - 1) + 1, end));
  }
}
