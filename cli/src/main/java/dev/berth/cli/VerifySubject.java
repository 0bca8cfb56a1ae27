package dev.berth.cli;

import dev.berth.model.api.FieldProblem;
import dev.berth.server.plugins.FailedPlugin;
import dev.berth.server.plugins.InstalledType;
import dev.berth.server.plugins.Plugins;
import dev.berth.spi.BackendException;
import dev.berth.spi.ConfiguredBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A type with settings, as they are found for {@code berth backend verify}. */
record VerifySubject(
    InstalledType type, ConfiguredBackend<?> configured, Map<String, @Nullable Object> settings) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  VerifySubject {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** Out of a plug-in that is not installed. */
  static VerifySubject inJar(Plugins jar, @Nullable String typeName, SettingsFile file) {
    String wanted = typeName == null ? file.type() : typeName;
    if (jar.types().isEmpty()) {
      throw new CommandFailure(
          ExitCode.FAILED,
          jar.failed().stream()
              .map(failed -> failed.origin() + " cannot be loaded: " + failed.reason())
              .collect(Collectors.joining("\n")));
    }
    if (wanted == null && jar.types().size() > 1) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "the jar has several types: choose one of " + names(jar) + " with --type");
    }
    InstalledType type =
        wanted == null
            ? jar.types().getFirst()
            : jar.find(wanted)
                .orElseThrow(
                    () ->
                        new CommandFailure(
                            ExitCode.USAGE,
                            "the jar has no type '" + wanted + "'; it has " + names(jar)));
    return of(type, file.settings(), file);
  }

  private static String names(Plugins plugins) {
    return plugins.types().stream()
        .map(type -> type.type().name())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /**
   * A backend that was added to the server of a home, with the settings that the server keeps, or a
   * type with the settings of a file.
   */
  static VerifySubject named(
      Plugins installed, Home home, String name, @Nullable String typeName, SettingsFile file) {
    Path kept = home.folder().resolve("server").resolve("backends").resolve(name + ".json");
    boolean fromServer = file.isEmpty() && Files.exists(kept);
    Kept backend = fromServer ? Kept.read(kept) : new Kept(file.type(), file.settings());
    String type = typeName != null ? typeName : Objects.requireNonNullElse(backend.type(), name);
    installed.failed().stream()
        .map(FailedPlugin::reason)
        .filter(reason -> installed.find(type).isEmpty() && reason.contains("'" + type + "'"))
        .findFirst()
        .ifPresent(
            reason -> {
              throw new CommandFailure(ExitCode.FAILED, reason);
            });
    return of(BackendDocsCommand.required(installed, type), backend.settings(), file);
  }

  private static VerifySubject of(
      InstalledType type, Map<String, @Nullable Object> settings, SettingsFile file) {
    try {
      return new VerifySubject(type, ConfiguredBackend.of(type.type(), settings), settings);
    } catch (BackendException.BadConfig e) {
      throw wrong(e, file);
    }
  }

  /** Settings that are wrong, with their places in the file. */
  static CommandFailure wrong(BackendException.BadConfig e, SettingsFile file) {
    List<FieldProblem> problems =
        e.problems().stream()
            .map(problem -> new FieldProblem("config." + problem.path(), problem.message()))
            .toList();
    return new CommandFailure(ExitCode.INVALID_FILE, file.explain(problems));
  }

  /** What a server keeps of a backend, as far as it matters here. */
  private record Kept(@Nullable String type, Map<String, @Nullable Object> settings) {
    static Kept read(Path file) {
      try {
        Map<?, ?> tree = MAPPER.readValue(Files.readString(file), Map.class);
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        if (tree.get("config") instanceof Map<?, ?> config) {
          config.forEach((key, value) -> settings.put(String.valueOf(key), value));
        }
        return new Kept(String.valueOf(tree.get("type")), settings);
      } catch (IOException | JacksonException e) {
        // Its text may hold secrets, so neither it nor the parser's message is shown.
        throw new CommandFailure(
            ExitCode.FAILED,
            "the settings in " + file + " cannot be read by this user; give them with -f");
      }
    }
  }
}
