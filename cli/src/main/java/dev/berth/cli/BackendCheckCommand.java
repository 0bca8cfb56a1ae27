package dev.berth.cli;

import dev.berth.model.api.BackendView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks a backend's provider whether all is well. */
@Command(
    name = "check",
    description = "Ask a backend's provider whether it accepts the settings and credentials.")
final class BackendCheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The backend.")
  private String name = "";

  @Option(names = "--json", description = "Print the backend as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      BackendView checked = connection.client().checkBackend(connection.project(), name);
      if (json) {
        Json.print(Json.tree(checked), out);
      } else {
        out.println(checked.name() + " works: the provider accepts its settings");
      }
      return ExitCode.OK;
    }
  }
}
