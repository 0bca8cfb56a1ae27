package dev.berth.cli;

import dev.berth.model.api.UserList;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists users. */
@Command(name = "list", description = "List users.")
final class UserListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Connection connection = Connection.open(err)) {
      UserList list = connection.client().access().users();
      if (json) {
        Json.print(Json.tree(list), out);
        return ExitCode.OK;
      }
      Table table = new Table("NAME", "ROLE", "CREATED");
      list.users()
          .forEach(
              user -> table.row(user.name(), user.role(), Ago.of(user.createdAt(), Instant.now())));
      table.print(out);
      return ExitCode.OK;
    }
  }
}
