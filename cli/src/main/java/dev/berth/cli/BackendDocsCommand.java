package dev.berth.cli;

import dev.berth.server.plugins.InstalledType;
import dev.berth.server.plugins.Plugins;
import dev.berth.spi.config.ConfigPage;
import dev.berth.spi.config.ConfigSchema;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the documentation of a type of backends. */
@Command(name = "docs", description = "Show the documentation of a backend type.")
final class BackendDocsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "TYPE", description = "The type, as 'berth backend types' lists it.")
  private String type = "";

  @Option(names = "--schema", description = "Print the JSON Schema of the settings instead.")
  private boolean schema;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Plugins plugins = Plugins.load(PluginFolders.of(Home.find()))) {
      InstalledType installed = required(plugins, type);
      if (schema) {
        Json.print(ConfigSchema.of(installed.type().config()), out);
      } else {
        out.print(ConfigPage.of(installed.type()));
      }
      return ExitCode.OK;
    }
  }

  static InstalledType required(Plugins plugins, String name) {
    return plugins
        .find(name)
        .orElseThrow(() -> new CommandFailure(ExitCode.USAGE, plugins.unknown(name)));
  }
}
