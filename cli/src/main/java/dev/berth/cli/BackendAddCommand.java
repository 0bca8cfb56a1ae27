package dev.berth.cli;

import dev.berth.model.api.BackendView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Adds a backend. */
@Command(
    name = "add",
    description =
        "Add a backend. The provider checks the settings, and everything that jobs need there is"
            + " set up.")
final class BackendAddCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The name of the backend.")
  private String name = "";

  @Option(
      names = {"-t", "--type"},
      paramLabel = "TYPE",
      description = "The backend type (default: the type in the file, or else the name).")
  private @Nullable String type;

  @Mixin private SettingsOptions settings = new SettingsOptions();

  @Option(names = "--json", description = "Print the backend as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    SettingsOptions.Given given = settings.read(name, type);
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      BackendView added =
          given.send(request -> connection.client().addBackend(connection.project(), request));
      if (json) {
        Json.print(Json.tree(added), out);
      } else {
        out.println(added.name() + " added");
      }
      return ExitCode.OK;
    }
  }
}
