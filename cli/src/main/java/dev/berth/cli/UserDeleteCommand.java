package dev.berth.cli;

import dev.berth.model.api.UserView;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes users. */
@Command(
    name = "delete",
    description = "Delete users with their tokens and memberships. Their runs continue.")
final class UserDeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", arity = "1..*", description = "The names of the users.")
  private List<String> names = List.of();

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
      String question = "Delete " + String.join(", ", names) + "?";
      if (!yes) {
        Confirmation.ask(question, "delete", "not deleted", err);
      }
      List<UserView> deleted =
          names.stream().map(name -> connection.client().access().deleteUser(name)).toList();
      if (json) {
        Json.print(Map.of("users", deleted.stream().map(Json::tree).toList()), out);
      } else {
        deleted.forEach(user -> out.println(user.name() + " deleted"));
      }
      return ExitCode.OK;
    }
  }
}
