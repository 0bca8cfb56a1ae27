package dev.berth.cli;

import dev.berth.model.api.ProjectView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes a project. */
@Command(
    name = "delete",
    description =
        "Delete a project and its finished runs. It must have no active runs, fleets or machines.")
final class ProjectDeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The name of the project.")
  private String name = "";

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      String question = "Delete the project " + name + " with its finished runs?";
      if (!yes) {
        Confirmation.ask(question, "delete", "not deleted", err);
      }
      ProjectView deleted = connection.client().access().deleteProject(name);
      if (json) {
        Json.print(Json.tree(deleted), out);
      } else {
        out.println(deleted.name() + " deleted");
      }
      return ExitCode.OK;
    }
  }
}
