package dev.berth.cli;

import dev.berth.model.api.BackendList;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the backends of the server. */
@Command(name = "list", description = "List the server's backends.")
final class BackendListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON; secrets are hidden.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      BackendList list = connection.client().backends(connection.project());
      if (json) {
        Json.print(Json.tree(list), out);
        return ExitCode.OK;
      }
      table(list).print(out);
      return ExitCode.OK;
    }
  }

  static Table table(BackendList list) {
    Table table = new Table("NAME", "TYPE", "ORIGIN", "STATUS", "").cut("ORIGIN");
    list.backends()
        .forEach(
            backend ->
                table.row(
                    backend.name(),
                    backend.type(),
                    backend.origin(),
                    backend.status(),
                    backend.message() == null ? "" : backend.message()));
    return table;
  }
}
