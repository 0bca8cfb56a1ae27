package dev.berth.hosts.docker;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A container as its engine shows it.
 *
 * @param status created, running, paused, exited, dead, ...
 * @param pid of its first process, on the engine's machine; 0 where none runs
 * @param startedAt empty where it never ran
 * @param address on the engine's network; empty where it has none
 * @param published the numbers by which the engine's machine reaches its ports
 */
public record ContainerFacts(
    String id,
    String status,
    boolean running,
    int exitCode,
    boolean outOfMemory,
    long pid,
    Optional<Instant> startedAt,
    Optional<Instant> finishedAt,
    String error,
    String address,
    String networkMode,
    Map<Integer, Integer> published) {
  public ContainerFacts {
    published = Map.copyOf(published);
  }

  private static final String NUMBER = "[0-9]{1,5}";

  /** Reads what {@code GET /containers/NAME/json} answers. */
  static ContainerFacts parse(JsonNode container) {
    JsonNode state = container.path("State");
    return new ContainerFacts(
        container.path("Id").asString(""),
        state.path("Status").asString(""),
        state.path("Running").asBoolean(false),
        state.path("ExitCode").asInt(0),
        state.path("OOMKilled").asBoolean(false),
        state.path("Pid").asLong(0),
        instant(state.path("StartedAt").asString("")),
        instant(state.path("FinishedAt").asString("")),
        state.path("Error").asString(""),
        address(container.path("NetworkSettings")),
        container.path("HostConfig").path("NetworkMode").asString(""),
        published(container.path("NetworkSettings").path("Ports")));
  }

  /** A port without a number has an empty list, or null. */
  private static Map<Integer, Integer> published(JsonNode ports) {
    Map<Integer, Integer> published = new LinkedHashMap<>();
    ports
        .properties()
        .forEach(
            port -> {
              String inside = port.getKey().replace("/tcp", "");
              String outside = port.getValue().path(0).path("HostPort").asString("");
              if (inside.matches(NUMBER) && outside.matches(NUMBER)) {
                published.put(Integer.valueOf(inside), Integer.valueOf(outside));
              }
            });
    return published;
  }

  /** Engines write the year 1 for never. */
  private static Optional<Instant> instant(String text) {
    try {
      return text.isEmpty() || text.startsWith("0001-")
          ? Optional.empty()
          : Optional.of(java.time.OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException unreadable) {
      return Optional.empty();
    }
  }

  private static String address(JsonNode settings) {
    String plain = settings.path("IPAddress").asString("");
    if (!plain.isEmpty()) {
      return plain;
    }
    for (JsonNode network : settings.path("Networks")) {
      String one = network.path("IPAddress").asString("");
      if (!one.isEmpty()) {
        return one;
      }
    }
    return "";
  }

  /** Whether it ran and runs no more; an engine calls one new until a moment after it began. */
  public boolean hasEnded() {
    return Engine.ENDED.contains(status);
  }

  /** Whether it was made and nobody started it yet. */
  public boolean isNew() {
    return !running && startedAt.isEmpty();
  }
}
