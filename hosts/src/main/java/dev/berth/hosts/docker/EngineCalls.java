package dev.berth.hosts.docker;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Calls to an engine, in the version of its API that both sides speak. */
final class EngineCalls {
  static final Duration QUICK = Duration.ofSeconds(20);
  static final Duration SLOW = Duration.ofSeconds(55);

  /** The newest that we know; an older engine gets its own. */
  private static final String NEWEST = "1.41";

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
            answer.path("Components").path(0).path("Name").asString(""));
    known = version;
    return version;
  }

  Engine.Version knownVersion() {
    Engine.Version version = known;
    return version == null ? version() : version;
  }

  private String spoken() {
    return older(knownVersion().apiVersion(), NEWEST);
  }

  static String older(String one, String other) {
    if (!one.matches("[0-9]{1,4}\\.[0-9]{1,4}")) {
      return other;
    }
    int dot = one.indexOf('.');
    int major = Integer.parseInt(one.substring(0, dot));
    int minor = Integer.parseInt(one.substring(dot + 1));
    int otherDot = other.indexOf('.');
    int otherMajor = Integer.parseInt(other.substring(0, otherDot));
    int otherMinor = Integer.parseInt(other.substring(otherDot + 1));
    boolean isOlder = major < otherMajor || (major == otherMajor && minor < otherMinor);
    return isOlder ? one : other;
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
    return http.call(spoken(), request, deadline);
  }

  byte[] bytes(EngineRequest request, Duration deadline) {
    return http.bytes(spoken(), request, deadline);
  }

  EngineResponse stream(EngineRequest request, Duration deadline) {
    return http.stream(spoken(), request, deadline);
  }

  EngineResponse stream(EngineRequest request, Duration deadline, Consumer<EngineChannel> opened) {
    return http.stream(spoken(), request, deadline, opened);
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
