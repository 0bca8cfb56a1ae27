package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows one run. */
@Command(
    name = "show",
    description = "Show a run with its configuration and every attempt, as JSON.")
class ShowCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", description = "The name or id of the run.")
  String run = "";

  /** All commands that read take it, and scripts need not know that here it changes nothing. */
  @Option(names = "--json", description = "Accepted; the output is always JSON.")
  @SuppressWarnings("UnusedVariable")
  private boolean json;

  @Override
  public Integer call() {
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      Json.print(
          Json.tree(connection.client().get(connection.project(), run)),
          spec.commandLine().getOut());
      return ExitCode.OK;
    }
  }
}
