package dev.berth.cli;

import dev.berth.server.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Which server the command talks to, and as whom. The environment wins over the file; without
 * either an embedded server is used.
 */
record ClientSettings(@Nullable String url, @Nullable String token, String project) {
  static final String DEFAULT_PROJECT = "main";

  static ClientSettings load(Home home) {
    return load(home, System.getenv());
  }

  /** The same, with variables that are passed in. A stored token goes to its own server only. */
  static ClientSettings load(Home home, Map<String, String> environment) {
    Map<?, ?> stored = stored(home);
    String url = first(environment.get("BERTH_URL"), stored.get("url"));
    boolean own = url == null || isSameServer(url, first(null, stored.get("url")));
    return new ClientSettings(
        url,
        first(environment.get("BERTH_TOKEN"), own ? stored.get("token") : null),
        Objects.requireNonNullElse(
            first(environment.get("BERTH_PROJECT"), stored.get("project")), DEFAULT_PROJECT));
  }

  /** Whether two addresses are written for the same server. */
  static boolean isSameServer(String url, @Nullable String other) {
    return other != null && url.replaceFirst("/+$", "").equals(other.replaceFirst("/+$", ""));
  }

  /** What is stored, whatever the environment says. */
  static ClientSettings loadStored(Home home) {
    Map<?, ?> stored = stored(home);
    return new ClientSettings(
        first(null, stored.get("url")),
        first(null, stored.get("token")),
        Objects.requireNonNullElse(first(null, stored.get("project")), DEFAULT_PROJECT));
  }

  /** The variable that has commands talk to another server than this one, or as somebody else. */
  static Optional<String> environmentWins(String url) {
    String other = first(System.getenv("BERTH_URL"), null);
    return first(System.getenv("BERTH_TOKEN"), null) != null
        ? Optional.of("BERTH_TOKEN")
        : Optional.of("BERTH_URL").filter(_ -> other != null && !other.equals(url));
  }

  static void save(Home home, Map<String, String> values) throws IOException {
    Map<Object, Object> merged = new LinkedHashMap<>(stored(home));
    values.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            merged.remove(name);
          } else {
            merged.put(name, value);
          }
        });
    PrivateFile.write(home.client(), Json.line(merged) + "\n");
  }

  private static Map<?, ?> stored(Home home) {
    if (!Files.exists(home.client())) {
      return Map.of();
    }
    try {
      // Most people have no such file, and then need no reader of it.
      return JsonMapper.shared().readValue(Files.readAllBytes(home.client()), Map.class);
    } catch (IOException | JacksonException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          home.client() + " cannot be read: " + e.getMessage() + "; correct or remove it");
    }
  }

  private static @Nullable String first(@Nullable String environment, @Nullable Object stored) {
    return environment != null && !environment.isBlank()
        ? environment
        : stored == null ? null : stored.toString();
  }
}
