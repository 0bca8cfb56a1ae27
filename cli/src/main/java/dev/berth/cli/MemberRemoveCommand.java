package dev.berth.cli;

import dev.berth.model.api.MemberView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a member. */
@Command(name = "remove", description = "Remove a user from a project.")
final class MemberRemoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "USER", description = "The name of the user.")
  private String user = "";

  @Mixin private ProjectOption project = new ProjectOption();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      MemberView member = connection.client().access().removeMember(project.of(connection), user);
      if (json) {
        Json.print(Json.tree(member), out);
      } else {
        out.println(member.user() + " removed from " + member.project());
      }
      return ExitCode.OK;
    }
  }
}
