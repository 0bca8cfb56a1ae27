package dev.berth.cli;

import dev.berth.model.api.BackendSuggestions;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what could be written into settings that are not filled in. */
@Command(
    name = "suggest",
    description = "Ask a provider for possible values of settings that are not set yet.")
final class BackendSuggestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "TYPE", description = "The type, as 'berth backend types' lists it.")
  private String type = "";

  @Mixin private SettingsOptions settings = new SettingsOptions();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    SettingsOptions.Given given = settings.read(type, type);
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      BackendSuggestions suggestions =
          given.send(request -> connection.client().suggestBackend(connection.project(), request));
      if (json) {
        Json.print(Json.tree(suggestions), out);
        return ExitCode.OK;
      }
      Table table = new Table("SETTING", "VALUE", "").wrap("VALUE");
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
        out.println("No suggestions.");
      }
      return ExitCode.OK;
    }
  }
}
