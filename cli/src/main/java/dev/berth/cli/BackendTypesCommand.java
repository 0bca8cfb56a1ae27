package dev.berth.cli;

import dev.berth.server.plugins.Plugins;
import dev.berth.spi.Trait;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the types of backends that are installed here. */
@Command(
    name = "types",
    description = "List the types of backends that are installed on this machine.")
final class BackendTypesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON, with the settings as JSON Schema.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Plugins plugins = Plugins.load(PluginFolders.of(Home.find()))) {
      if (json) {
        Json.print(Json.tree(plugins.view()), out);
        return ExitCode.OK;
      }
      Table table = new Table("TYPE", "VERSION", "ORIGIN", "GIVES", "CAPABILITIES");
      plugins
          .types()
          .forEach(
              type ->
                  table.row(
                      type.type().name(),
                      type.version(),
                      type.origin(),
                      type.type().traits().base().word(),
                      type.type().traits().all().stream()
                          .map(Trait::word)
                          .collect(Collectors.joining(" "))));
      table.print(out);
      PrintWriter err = spec.commandLine().getErr();
      plugins
          .failed()
          .forEach(
              failed ->
                  err.println(
                      "berth: " + failed.origin() + " cannot be loaded: " + failed.reason()));
      return plugins.failed().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
  }
}
