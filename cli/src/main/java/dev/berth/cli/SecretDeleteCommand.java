package dev.berth.cli;

import dev.berth.model.api.SecretView;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes secrets. */
@Command(
    name = "delete",
    description = "Delete secrets. Runs that refer to them can no longer start.")
final class SecretDeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", arity = "1..*", description = "The names of the secrets.")
  private List<String> names = List.of();

  @Mixin private ProjectOption project = new ProjectOption();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      String of = project.of(connection);
      List<SecretView> deleted =
          names.stream().map(name -> connection.client().access().deleteSecret(of, name)).toList();
      if (json) {
        Json.print(Map.of("secrets", deleted.stream().map(Json::tree).toList()), out);
      } else {
        deleted.forEach(secret -> out.println(secret.name() + " deleted"));
      }
      return ExitCode.OK;
    }
  }
}
