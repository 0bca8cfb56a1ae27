package dev.berth.hosts.docker;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What a container uses, as its engine measures it.
 *
 * @param processorTime since its start
 * @param memoryBytes without what the kernel could take back at once, as the engines' own tools
 *     count it
 */
public record ContainerStats(Instant at, Duration processorTime, long memoryBytes) {
  /** Reads what {@code GET /containers/NAME/stats} answers; empty where nothing was measured. */
  static Optional<ContainerStats> parse(JsonNode stats) {
    JsonNode memory = stats.path("memory_stats");
    long used = memory.path("usage").asLong(0);
    if (used <= 0) {
      // An engine answers so for a container that does not run any more.
      return Optional.empty();
    }
    JsonNode details = memory.path("stats");
    long spare =
        details.path("inactive_file").asLong(details.path("total_inactive_file").asLong(0));
    try {
      return Optional.of(
          new ContainerStats(
              OffsetDateTime.parse(stats.path("read").asString("")).toInstant(),
              Duration.ofNanos(
                  stats.path("cpu_stats").path("cpu_usage").path("total_usage").asLong(0)),
              spare < used ? used - spare : used));
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }
}
