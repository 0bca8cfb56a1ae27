package dev.berth.cli;

import dev.berth.model.api.UserRequest;
import dev.berth.model.api.UserView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a user. */
@Command(
    name = "create",
    description =
        "Create a user. Project memberships decide what they can do; they log in with a token.")
final class UserCreateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The name of the user.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "admin (may do everything) or user (default: ${DEFAULT-VALUE}).",
      defaultValue = "user")
  private String role = "user";

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      UserView user = connection.client().access().makeUser(new UserRequest(name, role));
      if (json) {
        Json.print(Json.tree(user), out);
      } else {
        out.println(user.name() + " created");
      }
      return ExitCode.OK;
    }
  }
}
