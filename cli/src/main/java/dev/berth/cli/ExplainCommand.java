package dev.berth.cli;

import dev.berth.model.api.ExplainView;
import dev.berth.model.api.FieldProblem;
import java.io.PrintWriter;
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
    description = "Explain why a run has no place, and what would help; or where it is.")
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", arity = "0..1", description = "The name or id of the run.")
  private @Nullable String run;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "A file that is not submitted, instead of a run.")
  private @Nullable String file;

  @Option(names = "--profile", paramLabel = "NAME", description = "The profile for the file.")
  private @Nullable String profile;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if ((run == null) == (file == null)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "name a run, or a file with -f FILE");
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
    explained.sentences().forEach(out::println);
    for (FieldProblem refusal : explained.refusals()) {
      out.println("  " + refusal.path() + ": " + refusal.message());
    }
    if (explained.rules().isEmpty()) {
      return;
    }
    out.println();
    Table table = new Table("KEPT FROM", "ALONE", "BY", "", "NEAREST");
    for (ExplainView.Rule rule : explained.rules()) {
      table.row(
          String.valueOf(rule.places()),
          String.valueOf(rule.alone()),
          rule.name(),
          rule.sentence(),
          rule.nearest());
    }
    table.print(out);
  }
}
