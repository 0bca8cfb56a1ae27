package dev.berth.cli;

import dev.berth.server.plugins.FailedPlugin;
import dev.berth.server.plugins.InstalledType;
import dev.berth.server.plugins.Plugins;
import dev.berth.spi.Trait;
import dev.berth.spi.config.ConfigSchema;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        Json.print(tree(plugins), out);
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
                      base(type),
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

  private static String base(InstalledType type) {
    return type.type().traits().base().name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> tree(Plugins plugins) {
    List<Map<String, Object>> types = plugins.types().stream().map(type -> tree(type)).toList();
    List<Map<String, Object>> failed = plugins.failed().stream().map(type -> tree(type)).toList();
    return new LinkedHashMap<>(Map.of("types", types, "failed", failed));
  }

  private static Map<String, Object> tree(InstalledType type) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", type.type().name());
    tree.put("version", type.version());
    tree.put("origin", type.origin());
    tree.put("summary", type.type().summary());
    tree.put("base", base(type));
    tree.put("traits", type.type().traits().all().stream().map(Trait::word).toList());
    tree.put("schema", ConfigSchema.of(type.type().config()));
    return tree;
  }

  private static Map<String, Object> tree(FailedPlugin failed) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("origin", failed.origin());
    tree.put("reason", failed.reason());
    return tree;
  }
}
