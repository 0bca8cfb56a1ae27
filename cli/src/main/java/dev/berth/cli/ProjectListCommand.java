package dev.berth.cli;

import dev.berth.model.api.ProjectList;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists projects. */
@Command(name = "list", description = "List your projects and your role in each.")
final class ProjectListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      ProjectList list = connection.client().access().projects();
      if (json) {
        Json.print(Json.tree(list), out);
        return ExitCode.OK;
      }
      Table table = new Table("NAME", "YOUR ROLE", "CREATED");
      list.projects()
          .forEach(
              project ->
                  table.row(
                      project.name(), project.role(), Ago.of(project.createdAt(), Instant.now())));
      table.print(out);
      if (list.projects().isEmpty()) {
        out.println("You are not a member of any project; a manager of one can add you.");
      }
      return ExitCode.OK;
    }
  }
}
