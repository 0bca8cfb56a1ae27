package dev.berth.cli;

import dev.berth.client.ClientException;
import dev.berth.model.api.BackendSuggestions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what could be written into settings that are not filled in. */
@Command(
    name = "suggest",
    description = "Ask a provider what could be written into settings that are not filled in yet.")
final class BackendSuggestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "TYPE", description = "The type, as 'berth backend types' lists it.")
  private String type = "";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "A YAML file with the settings so far, such as the credentials.")
  private @Nullable Path file;

  @Option(
      names = {"-s", "--set"},
      paramLabel = "SETTING=VALUE",
      description = "A setting of the top level; wins over the file.")
  private Map<String, String> set = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    SettingsFile settings = file == null ? SettingsFile.empty() : SettingsFile.read(file);
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      BackendSuggestions suggestions =
          connection
              .client()
              .suggestBackend(
                  connection.project(), BackendAddCommand.request(type, type, settings, set));
      if (json) {
        Json.print(Json.tree(suggestions), out);
        return ExitCode.OK;
      }
      Table table = new Table("SETTING", "VALUE", "");
      for (BackendSuggestions.Field field : suggestions.fields()) {
        for (BackendSuggestions.Choice choice : field.choices()) {
          table.row(
              field.path(),
              choice.value(),
              choice.label() + (choice.recommended() ? " (recommended)" : ""));
        }
      }
      table.print(out);
      if (suggestions.fields().isEmpty()) {
        out.println("There is nothing to suggest.");
      }
      return ExitCode.OK;
    } catch (ClientException e) {
      throw BackendAddCommand.explained(e, settings);
    }
  }
}
