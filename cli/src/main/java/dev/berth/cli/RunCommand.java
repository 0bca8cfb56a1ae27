package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Commands about one run. */
@Command(name = "run", description = "Show one run.", subcommands = RunCommand.Get.class)
final class RunCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "a command is needed: berth run get NAME");
  }

  @Command(name = "get", description = "Show a run with its configuration and attempts, as JSON.")
  static final class Get implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "RUN", description = "The name or id of the run.")
    private String run = "";

    @Option(names = "--json", description = "Print JSON, which is the only form.")
    private boolean json = true;

    @Override
    public Integer call() {
      try (Connection connection = Connection.open(spec.commandLine().getErr())) {
        Json.print(
            Json.tree(connection.client().get(connection.project(), run)),
            spec.commandLine().getOut());
        return json ? ExitCode.OK : ExitCode.FAILED;
      }
    }
  }
}
