package dev.berth.cli;

import dev.berth.model.api.RunView;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes runs that have ended. */
@Command(name = "delete", description = "Delete runs that have ended, with their output.")
final class DeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", arity = "1..*", description = "The names or ids of the runs.")
  private List<String> runs = List.of();

  @Option(
      names = {"-y", "--yes"},
      description = "Accepted for scripts that were written for dstack; nothing is asked.")
  @SuppressWarnings("UnusedVariable")
  private boolean yes;

  @Option(names = "--json", description = "Print the runs as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      List<RunView> deleted =
          runs.stream().map(run -> connection.client().delete(connection.project(), run)).toList();
      if (json) {
        Json.print(Map.of("runs", deleted.stream().map(Json::tree).toList()), out);
      } else {
        deleted.forEach(run -> out.println(run.name() + " deleted"));
      }
      return ExitCode.OK;
    }
  }
}
