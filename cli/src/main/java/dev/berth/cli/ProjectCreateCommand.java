package dev.berth.cli;

import dev.berth.model.api.ProjectRequest;
import dev.berth.model.api.ProjectView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a project. */
@Command(name = "create", description = "Create a project; you become its first admin.")
final class ProjectCreateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The name of the project.")
  private String name = "";

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      ProjectView project = connection.client().access().makeProject(new ProjectRequest(name));
      if (json) {
        Json.print(Json.tree(project), out);
      } else {
        out.println(project.name() + " created");
      }
      return ExitCode.OK;
    }
  }
}
