package dev.berth.cli;

import dev.berth.model.api.ExplainView;
import dev.berth.model.api.FieldProblem;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Explains where a run is, or why it has no place. */
@Command(
    name = "explain",
    description = "Show where a run is placed, or why it is not and what would help.")
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", arity = "0..1", description = "The name or id of the run.")
  private @Nullable String run;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description =
          "Explain a configuration file (- for standard input), without submitting it, instead of a"
              + " run.")
  private @Nullable String file;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "The profile to apply to the file.")
  private @Nullable String profile;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if ((run == null) == (file == null)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "name either a run or, with -f, a file");
    }
    try (Connection connection = Connection.open(err)) {
      ExplainView explained =
          file == null
              ? connection.client().explain(connection.project(), String.valueOf(run))
              : connection
                  .client()
                  .explain(connection.project(), RunFile.read(file, profile, err).request());
      if (json) {
        Json.print(Json.tree(explained), out);
      } else {
        print(explained, out);
      }
      return ExitCode.OK;
    }
  }

  private static void print(ExplainView explained, PrintWriter out) {
    int width = TerminalWidth.find();
    explained.sentences().forEach(sentence -> Lines.wrap(sentence, width).forEach(out::println));
    for (FieldProblem refusal : explained.refusals()) {
      out.println("  " + refusal.path() + ": " + refusal.message());
    }
    if (explained.rules().isEmpty()) {
      return;
    }
    out.println();
    table(explained.rules()).print(out);
  }

  static Table table(List<ExplainView.Rule> rules) {
    Table table =
        new Table("RULED OUT", "ONLY BY THIS", "CONSTRAINT", "REQUIRED", "CLOSEST")
            .wrap("RULED OUT", "ONLY BY THIS", "REQUIRED", "CLOSEST");
    for (ExplainView.Rule rule : rules) {
      table.row(
          String.valueOf(rule.places()),
          String.valueOf(rule.alone()),
          rule.name(),
          rule.sentence(),
          rule.nearest());
    }
    return table;
  }
}
