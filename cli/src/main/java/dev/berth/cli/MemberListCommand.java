package dev.berth.cli;

import dev.berth.model.api.MemberList;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists members. */
@Command(name = "list", description = "List the members of a project.")
final class MemberListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ProjectOption project = new ProjectOption();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      MemberList list = connection.client().access().members(project.of(connection));
      if (json) {
        Json.print(Json.tree(list), out);
        return ExitCode.OK;
      }
      Table table = new Table("USER", "ROLE", "SINCE");
      list.members()
          .forEach(
              member ->
                  table.row(member.user(), member.role(), Ago.of(member.since(), Instant.now())));
      table.print(out);
      if (list.members().isEmpty()) {
        out.println("The project has no members; global admins may do everything in it.");
      }
      return ExitCode.OK;
    }
  }
}
