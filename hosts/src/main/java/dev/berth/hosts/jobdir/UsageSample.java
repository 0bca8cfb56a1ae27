package dev.berth.hosts.jobdir;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job used at a time.
 *
 * @param processorTime the time all its processes have computed since it started
 * @param memoryBytes the resident memory of all its processes
 */
public record UsageSample(Instant at, Duration processorTime, long memoryBytes) {
  private static final Pattern LINE = Pattern.compile("([0-9]{1,11}) ([0-9]{1,18}) ([0-9]{1,18})");

  /** Reads a line of a runner; empty for one that it could not write as it should. */
  public static Optional<UsageSample> parse(String line) {
    return Optional.of(LINE.matcher(line))
        .filter(Matcher::matches)
        .map(
            words ->
                new UsageSample(
                    Instant.ofEpochSecond(Long.parseLong(words.group(1))),
                    Duration.ofMillis(Long.parseLong(words.group(2))),
                    Long.parseLong(words.group(3))));
  }
}
