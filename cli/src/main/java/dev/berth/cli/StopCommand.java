package dev.berth.cli;

import dev.berth.model.api.RunView;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Stops runs. */
@Command(
    name = "stop",
    description = "Stop runs: send TERM, wait for stop_duration, then send KILL.")
final class StopCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", arity = "1..*", description = "The names or ids of the runs.")
  private List<String> runs = List.of();

  @Option(
      names = {"-x", "--abort"},
      description = "Kill them immediately.")
  private boolean abort;

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
      List<RunView> views = new ArrayList<>();
      for (String name : runs) {
        RunView before = connection.client().get(connection.project(), name).run();
        boolean over = before.finishedAt() != null;
        RunView after =
            over ? before : connection.client().stop(connection.project(), before.id(), abort);
        views.add(after);
        if (!json) {
          out.println(
              over
                  ? after.name() + " has already ended (" + after.status() + ")"
                  : after.name() + " " + after.status());
          out.flush();
        }
      }
      if (json) {
        Json.print(Map.of("runs", views.stream().map(Json::tree).toList()), out);
      }
      return ExitCode.OK;
    }
  }
}
