package dev.berth.cli;

import dev.berth.model.api.FleetList;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists fleets. */
@Command(name = "list", description = "List fleets, newest first.")
final class FleetListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      FleetList list = connection.client().fleets(connection.project());
      if (json) {
        Json.print(Json.tree(list), out);
        return ExitCode.OK;
      }
      FleetTable.print(list.fleets(), out);
      if (list.fleets().isEmpty()) {
        out.println("There are no fleets; create one with: berth apply -f FILE");
      }
      return ExitCode.OK;
    }
  }
}
