package dev.berth.cli;

import dev.berth.model.api.FieldProblem;
import dev.berth.server.BackendFiles;
import dev.berth.server.Keyring;
import dev.berth.server.ServerFile;
import dev.berth.server.ServerKeys;
import dev.berth.server.StoredBackend;
import dev.berth.server.plugins.FailedPlugin;
import dev.berth.server.plugins.InstalledType;
import dev.berth.server.plugins.Plugins;
import dev.berth.spi.BackendException;
import dev.berth.spi.ConfiguredBackend;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A type with settings, as they are found for {@code berth backend verify}. */
record VerifySubject(
    InstalledType type, ConfiguredBackend<?> configured, Map<String, @Nullable Object> settings) {
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
          "the jar has several types: choose one of " + jar.names() + " with --type");
    }
    InstalledType type =
        wanted == null
            ? jar.types().getFirst()
            : jar.find(wanted)
                .orElseThrow(
                    () ->
                        new CommandFailure(
                            ExitCode.USAGE,
                            "the jar has no type '" + wanted + "'; it has " + jar.names()));
    return of(type, file.settings(), file);
  }

  /**
   * A backend that was added to the server of a home, with the settings that the server keeps, or a
   * type with the settings of a file.
   */
  static VerifySubject named(
      Plugins installed, Home home, String name, @Nullable String typeName, SettingsFile file) {
    StoredBackend kept = file.isEmpty() ? kept(home, name) : null;
    String written = kept == null ? file.type() : kept.type();
    String type = typeName != null ? typeName : Objects.requireNonNullElse(written, name);
    installed.failed().stream()
        .map(FailedPlugin::reason)
        .filter(reason -> installed.find(type).isEmpty() && reason.contains("'" + type + "'"))
        .findFirst()
        .ifPresent(
            reason -> {
              throw new CommandFailure(ExitCode.FAILED, reason);
            });
    return of(
        BackendDocsCommand.required(installed, type),
        kept == null ? file.settings() : kept.config(),
        file);
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

  private static @Nullable StoredBackend kept(Home home, String name) {
    try {
      Optional<Keyring> keys =
          ServerKeys.find(ServerFile.inHome(home.folder()).read().configuration(), home.folder());
      // Without a key nothing was kept.
      return keys.isEmpty()
          ? null
          : BackendFiles.of(home.folder(), keys.get())
              .find(ClientSettings.DEFAULT_PROJECT, name)
              .orElse(null);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, e.getMessage() + " by this user; give its settings with -f");
    }
  }
}
