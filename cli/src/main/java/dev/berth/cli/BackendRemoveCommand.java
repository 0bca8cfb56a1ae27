package dev.berth.cli;

import dev.berth.model.api.BackendView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a backend. */
@Command(
    name = "remove",
    description = "Remove a backend and everything that was set up for it at the provider.")
final class BackendRemoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The backend.")
  private String name = "";

  @Option(
      names = "--forget",
      description = "Do not contact the provider. Anything left there must be deleted by hand.")
  private boolean forget;

  @Option(names = "--json", description = "Print the backend as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      BackendView removed = connection.client().removeBackend(connection.project(), name, forget);
      if (json) {
        Json.print(Json.tree(removed), out);
      } else {
        out.println(removed.name() + " removed");
      }
      return ExitCode.OK;
    }
  }
}
