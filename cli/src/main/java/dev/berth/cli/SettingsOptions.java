package dev.berth.cli;

import dev.berth.client.ClientException;
import dev.berth.model.api.BackendRequest;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the settings of a backend come from: a file, and what the command line says over it. */
final class SettingsOptions {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "A YAML file with its settings.")
  private @Nullable Path file;

  @Option(
      names = {"-s", "--set"},
      paramLabel = "SETTING=VALUE",
      description = "A top-level setting; overrides the file.")
  private Map<String, String> set = new LinkedHashMap<>();

  /**
   * Reads them, before any server is asked.
   *
   * @param type null for that of the file, otherwise the name
   */
  Given read(String name, @Nullable String type) {
    SettingsFile settings = file == null ? SettingsFile.empty() : SettingsFile.read(file);
    Map<String, @Nullable Object> config = new LinkedHashMap<>(settings.settings());
    config.putAll(set);
    String written = settings.type();
    String chosen = type != null ? type : written != null ? written : name;
    return new Given(settings, new BackendRequest(name, chosen, config));
  }

  /** Settings that a server shall judge. */
  record Given(SettingsFile file, BackendRequest request) {
    /** Sends them, and says of what the server finds wrong where it stands in the file. */
    <T> T send(Function<BackendRequest, T> call) {
      try {
        return call.apply(request);
      } catch (ClientException e) {
        boolean wrong =
            e.status() == 422
                && e.errors().stream().anyMatch(problem -> problem.path().startsWith("config"));
        throw wrong ? new CommandFailure(ExitCode.INVALID_FILE, file.explain(e.errors())) : e;
      }
    }
  }
}
