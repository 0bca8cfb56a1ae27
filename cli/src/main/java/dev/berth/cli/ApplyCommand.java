package dev.berth.cli;

import dev.berth.model.api.PlanView;
import dev.berth.model.api.RunView;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plans, confirms, submits, and follows. */
@Command(
    name = "apply",
    description = "Show the plan of a configuration, run it, and follow it to its end.")
final class ApplyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  @Option(
      names = {"-d", "--detach"},
      description = "Submit and return; do not follow the run.")
  private boolean detach;

  @Option(names = "--json", description = "Print the submitted run as JSON; implies -d.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    RunFile file = options.read(err);
    try (Connection connection = Connection.open(err)) {
      PlanView plan = connection.client().plan(connection.project(), file.request());
      if (!json) {
        PlanTable.print(plan, err);
      }
      PlanCommand.refuse(plan);
      if (!yes && !confirmed(err)) {
        return ExitCode.OK;
      }
      RunView run =
          connection
              .client()
              .submit(connection.project(), file.request(), UUID.randomUUID().toString());
      if (json) {
        Json.print(Json.tree(run), out);
        return ExitCode.OK;
      }
      if (detach) {
        out.println(run.name());
        return ExitCode.OK;
      }
      err.println("berth: following " + run.name() + " (Ctrl-C stops it)");
      err.flush();
      return new Attachment(err).follow(connection, run);
    }
  }

  @SuppressWarnings("SystemConsoleNull") // it is, with the console that the launcher chooses
  private static boolean confirmed(PrintWriter err) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new CommandFailure(
          ExitCode.USAGE, "there is no terminal to ask at; add -y to submit without asking");
    }
    err.print("Submit it? [y/n] ");
    err.flush();
    String answer = console.readLine();
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }
}
