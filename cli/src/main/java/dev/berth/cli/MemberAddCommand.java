package dev.berth.cli;

import dev.berth.model.api.MemberRequest;
import dev.berth.model.api.MemberView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Adds a member. */
@Command(name = "add", description = "Add a user to a project, or change the role of a member.")
final class MemberAddCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "USER", description = "The name of the user.")
  private String user = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "viewer, user, manager or admin (default: ${DEFAULT-VALUE}).",
      defaultValue = "user")
  private String role = "user";

  @Mixin private ProjectOption project = new ProjectOption();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      MemberView member =
          connection
              .client()
              .access()
              .putMember(project.of(connection), new MemberRequest(user, role));
      if (json) {
        Json.print(Json.tree(member), out);
      } else {
        out.println(
            member.user()
                + " is now "
                + (member.role().equals("admin") ? "an " : "a ")
                + member.role()
                + " of "
                + member.project());
      }
      return ExitCode.OK;
    }
  }
}
