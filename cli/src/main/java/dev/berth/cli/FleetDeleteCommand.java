package dev.berth.cli;

import dev.berth.model.api.FleetView;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes fleets. */
@Command(
    name = "delete",
    description =
        "Delete fleets. Idle machines are released immediately, busy ones when their jobs end.")
final class FleetDeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FLEET", arity = "1..*", description = "The names or ids of the fleets.")
  private List<String> fleets = List.of();

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(names = "--json", description = "Print the fleets as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      String question = "Delete " + String.join(", ", fleets) + "?";
      if (!yes) {
        Confirmation.ask(question, "delete", "not deleted", err);
      }
      List<FleetView> deleted =
          fleets.stream()
              .map(fleet -> connection.client().deleteFleet(connection.project(), fleet))
              .toList();
      if (json) {
        Json.print(Map.of("fleets", deleted.stream().map(Json::tree).toList()), out);
      } else {
        deleted.forEach(fleet -> out.println(fleet.name() + " " + fleet.status()));
      }
      return ExitCode.OK;
    }
  }
}
