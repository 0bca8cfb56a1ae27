package dev.berth.cli;

import dev.berth.model.api.FleetDetail;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows one fleet. */
@Command(name = "get", description = "Show a fleet with its machines.")
final class FleetGetCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FLEET", description = "The name or id of the fleet.")
  private String fleet = "";

  @Option(names = "--json", description = "Print JSON, with the configuration.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      FleetDetail detail = connection.client().fleet(connection.project(), fleet);
      if (json) {
        Json.print(Json.tree(detail), out);
      } else {
        FleetTable.print(detail, out);
      }
      return ExitCode.OK;
    }
  }
}
