package dev.berth.hosts.docker;

import dev.berth.spi.DuplexChannel;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Calls to an engine, in the version of its API that both sides speak. */
final class EngineCalls {
  static final Duration QUICK = Duration.ofSeconds(20);
  static final Duration SLOW = Duration.ofSeconds(55);

  /**
   * The one that we were made for. An older engine gets its own, and one that has given up on it
   * gets the oldest that it still speaks: of what we say, nothing means something else there.
   */
  private static final ApiVersion OURS = new ApiVersion(1, 41);

  private static final int BAD_REQUEST = 400;

  private final EngineHttp http;

  /** Null before the first call. */
  private volatile Engine.@Nullable Version known;

  EngineCalls(EngineAddress address) {
    this.http = new EngineHttp(address);
  }

  /** Asks the engine what it is. */
  Engine.Version version() {
    JsonNode answer = newest(EngineRequest.of("GET", "/version"));
    Engine.Version version =
        new Engine.Version(
            answer.path("ApiVersion").asString(""),
            answer.path("Version").asString(""),
            answer.path("Os").asString(""),
            answer.path("Arch").asString(""),
            answer.path("Components").path(0).path("Name").asString(""),
            answer.path("MinAPIVersion").asString(""));
    known = version;
    return version;
  }

  Engine.Version knownVersion() {
    Engine.Version version = known;
    return version == null ? version() : version;
  }

  private String spoken() {
    Engine.Version version = knownVersion();
    ApiVersion wanted =
        ApiVersion.parse(version.oldestApiVersion()).map(OURS::orNewer).orElse(OURS);
    return ApiVersion.parse(version.apiVersion()).map(wanted::orOlder).orElse(wanted).text();
  }

  /** Makes a call, and once more where the engine was replaced by one that speaks otherwise. */
  private <T> T spoken(EngineRequest request, Function<String, T> call) {
    String first = spoken();
    try {
      return call.apply(first);
    } catch (EngineException refused) {
      if (refused.status() != BAD_REQUEST
          || !refused.words().contains("client version")
          || request.stream() != null) {
        throw refused;
      }
      version();
      String now = spoken();
      if (now.equals(first)) {
        throw refused;
      }
      return call.apply(now);
    }
  }

  /** What the engine answers where nobody asks for a version. */
  JsonNode newest(EngineRequest request) {
    return EngineJson.parse(http.call("", request, QUICK));
  }

  JsonNode json(EngineRequest request, Duration deadline) {
    String text = text(request, deadline);
    return text.isBlank() ? EngineJson.object() : EngineJson.parse(text);
  }

  String text(EngineRequest request, Duration deadline) {
    return spoken(request, version -> http.call(version, request, deadline));
  }

  byte[] bytes(EngineRequest request, Duration deadline) {
    return spoken(request, version -> http.bytes(version, request, deadline));
  }

  byte[] bytes(EngineRequest request, Duration deadline, int largest) {
    return spoken(request, version -> http.bytes(version, request, deadline, largest));
  }

  EngineResponse stream(EngineRequest request, Duration deadline) {
    return spoken(request, version -> http.stream(version, request, deadline));
  }

  EngineResponse stream(EngineRequest request, Duration deadline, Consumer<DuplexChannel> opened) {
    return spoken(request, version -> http.stream(version, request, deadline, opened));
  }

  /** What a call gives; empty where the engine says that there is no such thing. */
  static <T> Optional<T> present(Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (EngineException failure) {
      if (failure.isAbsent()) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  static String filters(Map<String, List<String>> filters) {
    ObjectNode node = EngineJson.object();
    filters.forEach((name, values) -> values.forEach(node.putArray(name)::add));
    return query(node.toString());
  }

  static String query(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Slashes and colons of image names stay, as engines want it. */
  static String path(String text) {
    return query(text).replace("%2F", "/").replace("%3A", ":").replace("%40", "@");
  }
}
