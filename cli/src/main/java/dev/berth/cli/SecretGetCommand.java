package dev.berth.cli;

import dev.berth.client.AccessClient;
import dev.berth.model.api.RevealedSecretView;
import dev.berth.model.api.SecretView;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a secret. */
@Command(name = "get", description = "Show a secret; add --reveal to show its value.")
final class SecretGetCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The name of the secret.")
  private String name = "";

  @Option(
      names = "--reveal",
      description = "Print the value; for project admins. An event records who revealed it.")
  private boolean reveal;

  @Mixin private ProjectOption project = new ProjectOption();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      AccessClient access = connection.client().access();
      if (reveal) {
        RevealedSecretView shown = access.revealSecret(project.of(connection), name);
        if (json) {
          Json.print(Json.tree(shown), out);
        } else {
          out.println(shown.value());
        }
        return ExitCode.OK;
      }
      SecretView secret = access.secret(project.of(connection), name);
      if (json) {
        Json.print(Json.tree(secret), out);
      } else {
        Table table = new Table("NAME", "PROJECT", "CREATED", "UPDATED");
        table.row(
            secret.name(),
            secret.project(),
            Ago.date(secret.createdAt()),
            Ago.date(secret.updatedAt()));
        table.print(out);
      }
      return ExitCode.OK;
    }
  }
}
