package dev.berth.cli;

import dev.berth.client.ClientException;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.BackendView;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Adds a backend. */
@Command(
    name = "add",
    description =
        "Add a backend. Its provider is asked whether it accepts the settings; then what must be"
            + " there before the first job is set up.")
final class BackendAddCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "What the backend shall be called.")
  private String name = "";

  @Option(
      names = {"-t", "--type"},
      paramLabel = "TYPE",
      description = "Its type (default: that of the file, otherwise the name).")
  private @Nullable String type;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "A YAML file with its settings.")
  private @Nullable Path file;

  @Option(
      names = {"-s", "--set"},
      paramLabel = "SETTING=VALUE",
      description = "A setting of the top level; wins over the file.")
  private Map<String, String> set = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print the backend as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    SettingsFile settings = file == null ? SettingsFile.empty() : SettingsFile.read(file);
    BackendRequest request = request(name, type, settings, set);
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      BackendView added = connection.client().addBackend(connection.project(), request);
      if (json) {
        Json.print(Json.tree(added), out);
      } else {
        out.println(added.name() + " added");
      }
      return ExitCode.OK;
    } catch (ClientException e) {
      throw explained(e, settings);
    }
  }

  static BackendRequest request(
      String name, @Nullable String type, SettingsFile settings, Map<String, String> set) {
    Map<String, @Nullable Object> config = new LinkedHashMap<>(settings.settings());
    config.putAll(set);
    String written = settings.type();
    return new BackendRequest(name, type != null ? type : written != null ? written : name, config);
  }

  /** With the places in the file where the fields are to blame. */
  static RuntimeException explained(ClientException e, SettingsFile settings) {
    return e.status() == 422
            && e.errors().stream().anyMatch(problem -> problem.path().startsWith("config"))
        ? new CommandFailure(ExitCode.INVALID_FILE, settings.explain(e.errors()))
        : e;
  }
}
