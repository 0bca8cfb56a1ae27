package dev.berth.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a completion script for a shell. */
@Command(
    name = "completion",
    description = "Print a completion script: eval \"$(berth completion bash)\".")
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  enum Shell {
    bash,
    zsh,
    fish
  }

  @Parameters(paramLabel = "SHELL", description = "One of: ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    CommandLine root = spec.root().commandLine();
    switch (shell) {
      case bash -> out.println(AutoComplete.bash("berth", root));
      case zsh -> {
        out.println(
            "autoload -U +X compinit && compinit && autoload -U +X bashcompinit && bashcompinit");
        out.println(AutoComplete.bash("berth", root));
      }
      case fish -> {
        out.println("complete -c berth -e");
        printFish(root, "", out);
      }
    }
    return ExitCode.OK;
  }

  /**
   * Fish asks one rule per word: subcommands where none is typed yet, options once their command
   * is.
   */
  private static void printFish(CommandLine command, String path, PrintWriter out) {
    String seen =
        path.isEmpty()
            ? "__fish_use_subcommand"
            : "__fish_seen_subcommand_from " + path.substring(path.lastIndexOf(' ') + 1);
    command
        .getSubcommands()
        .forEach(
            (name, child) -> {
              out.println(
                  "complete -c berth -f -n '"
                      + seen
                      + "' -a "
                      + name
                      + " -d "
                      + quoted(summary(child)));
              printFish(child, (path + " " + name).strip(), out);
            });
    for (OptionSpec option : command.getCommandSpec().options()) {
      StringBuilder rule = new StringBuilder("complete -c berth -n '").append(seen).append("'");
      for (String name : option.names()) {
        rule.append(
            name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
      }
      if (option.arity().max() > 0) {
        rule.append(" -r");
      }
      String[] description = option.description();
      out.println(rule + " -d " + quoted(description.length == 0 ? "" : description[0]));
    }
  }

  private static String summary(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();
    return description.length == 0 ? "" : description[0];
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
