package dev.berth.spi;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a running job uses.
 *
 * @param at when it was measured
 * @param processorTime the time that all its processes have computed since it started
 * @param memoryBytes the memory that it has at that time
 * @param memoryLimitBytes the most memory that it can have; null where nobody set a limit, or it is
 *     not known
 */
public record JobUsage(
    Instant at, Duration processorTime, long memoryBytes, @Nullable Long memoryLimitBytes) {
  public JobUsage {
    if (processorTime.isNegative()
        || memoryBytes < 0
        || (memoryLimitBytes != null && memoryLimitBytes <= 0)) {
      throw new IllegalArgumentException("a job uses nothing or something, never less");
    }
  }
}
