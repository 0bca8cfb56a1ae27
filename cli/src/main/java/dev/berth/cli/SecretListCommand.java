package dev.berth.cli;

import dev.berth.model.api.SecretList;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists secrets. */
@Command(name = "list", description = "List the secrets of a project, without their values.")
final class SecretListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ProjectOption project = new ProjectOption();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      SecretList list = connection.client().access().secrets(project.of(connection));
      if (json) {
        Json.print(Json.tree(list), out);
        return ExitCode.OK;
      }
      Table table = new Table("NAME", "CREATED", "UPDATED");
      Instant now = Instant.now();
      list.secrets()
          .forEach(
              secret ->
                  table.row(
                      secret.name(),
                      Ago.of(secret.createdAt(), now),
                      Ago.of(secret.updatedAt(), now)));
      table.print(out);
      if (list.secrets().isEmpty()) {
        out.println("There are no secrets; save one with: berth secret set NAME");
      }
      return ExitCode.OK;
    }
  }
}
