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

/** Stops runs. */
@Command(name = "stop", description = "Stop runs: TERM, stop_duration, then KILL.")
final class StopCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", arity = "1..*", description = "The names or ids of the runs.")
  private List<String> runs = List.of();

  @Option(
      names = {"-x", "--abort"},
      description = "Kill them at once.")
  private boolean abort;

  @Option(names = "--json", description = "Print the runs as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      List<RunView> stopped =
          runs.stream()
              .map(run -> connection.client().stop(connection.project(), run, abort))
              .toList();
      if (json) {
        Json.print(Map.of("runs", stopped.stream().map(Json::tree).toList()), out);
      } else {
        stopped.forEach(run -> out.println(run.name() + " " + run.status()));
      }
      return ExitCode.OK;
    }
  }
}
