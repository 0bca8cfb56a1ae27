package dev.berth.cli;

import dev.berth.model.api.UserRoleRequest;
import dev.berth.model.api.UserView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes a user. */
@Command(name = "update", description = "Change the global role of a user.")
final class UserUpdateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The name of the user.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      required = true,
      description = "admin (may do everything) or user.")
  private String role = "";

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      UserView user = connection.client().access().changeUser(name, new UserRoleRequest(role));
      if (json) {
        Json.print(Json.tree(user), out);
      } else {
        out.println(
            user.name() + " is now " + (user.role().equals("admin") ? "a global admin" : "a user"));
      }
      return ExitCode.OK;
    }
  }
}
