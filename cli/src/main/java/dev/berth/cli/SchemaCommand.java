package dev.berth.cli;

import dev.berth.grammar.Kind;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the JSON Schema of a kind of file, for editors. */
@Command(name = "schema", description = "Print the JSON Schema of a kind of file.")
final class SchemaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "KIND",
      completionCandidates = KindWords.class,
      description = "One of: ${COMPLETION-CANDIDATES}.")
  private String kind = "";

  @Override
  public Integer call() {
    Optional<Kind> found = Kind.of(kind);
    if (found.isEmpty()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "unknown kind '" + kind + "'; expected one of " + String.join(", ", Kind.words()));
    }
    Json.print(found.get().schema(), spec.commandLine().getOut());
    return ExitCode.OK;
  }

  static final class KindWords implements Iterable<String> {
    @Override
    public java.util.Iterator<String> iterator() {
      return Kind.words().iterator();
    }
  }
}
