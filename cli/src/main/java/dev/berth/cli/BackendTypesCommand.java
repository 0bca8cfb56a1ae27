package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.model.api.BackendTypeList;
import dev.berth.server.plugins.Plugins;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the types of backends that are installed here. */
@Command(name = "types", description = "List the backend types installed on this machine.")
final class BackendTypesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON, including the JSON Schema of the settings.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Plugins plugins = Plugins.load(PluginFolders.of(Home.find()))) {
      if (json) {
        Json.print(Json.tree(plugins.view()), out);
        return ExitCode.OK;
      }
      table(plugins.view()).print(out);
      PrintWriter err = spec.commandLine().getErr();
      List<BackendTypeList.Failed> failed = plugins.view().failed();
      failed.forEach(
          one -> err.println("berth: " + one.origin() + " cannot be loaded: " + one.reason()));
      inTheBackground().stream()
          .filter(one -> !failed.contains(one))
          .forEach(
              one ->
                  err.println(
                      "berth: in the server in the background, "
                          + one.origin()
                          + " is another one: "
                          + one.reason()));
      return failed.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  /** What is wrong with plug-ins for a server that has been running for some time. */
  private List<BackendTypeList.Failed> inTheBackground() {
    Home home = Home.find();
    if (ClientSettings.load(home).url() != null) {
      return List.of();
    }
    EmbeddedServer.Address server =
        new EmbeddedServer(home, spec.commandLine().getErr()).find().orElse(null);
    if (server == null) {
      return List.of();
    }
    try (BerthClient client = server.client()) {
      return client.backendTypes().failed();
    }
  }

  static Table table(BackendTypeList list) {
    Table table =
        new Table("TYPE", "VERSION", "ORIGIN", "PROVIDES", "CAPABILITIES")
            .wrap("CAPABILITIES")
            .cut("ORIGIN");
    list.types()
        .forEach(
            type ->
                table.row(
                    type.name(),
                    type.version(),
                    type.origin(),
                    type.base(),
                    String.join(", ", type.traits())));
    return table;
  }
}
