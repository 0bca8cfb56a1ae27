package dev.berth.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Says what is wrong with a command line, and what was probably meant. */
final class UsageErrors {
  private UsageErrors() {}

  static int explain(CommandLine.ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("berth: " + sentence(e));
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  private static String sentence(CommandLine.ParameterException e) {
    if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
      return unknown(unmatched.getUnmatched().getFirst(), e.getCommandLine());
    }
    if (e instanceof CommandLine.MissingParameterException missing) {
      return missing(missing);
    }
    ArgSpec argument = e.getArgSpec();
    String value = e.getValue();
    return argument == null || value == null
        ? String.valueOf(e.getMessage()).replaceFirst("^Error: ", "")
        : name(argument) + " takes " + kind(argument) + ", not '" + value + "'";
  }

  private static String unknown(String word, CommandLine command) {
    if (word.startsWith("-")) {
      List<String> options =
          command.getCommandSpec().optionsMap().keySet().stream()
              .filter(option -> option.startsWith("--"))
              .toList();
      return "unknown option '" + word + "'" + Spelling.question(Spelling.near(word, options));
    }
    if (command.getSubcommands().isEmpty()) {
      return "unexpected argument '" + word + "'";
    }
    boolean top = command.getParent() == null;
    List<String> commands =
        command.getSubcommands().entrySet().stream()
            .filter(one -> !one.getValue().getCommandSpec().usageMessage().hidden())
            .map(one -> one.getKey())
            .toList();
    return "there is no command '"
        + word
        + "'"
        + Spelling.question(
            top ? Spelling.commands(word, commands) : Spelling.near(word, commands));
  }

  private static String missing(CommandLine.MissingParameterException e) {
    List<String> names = e.getMissing().stream().map(UsageErrors::name).distinct().toList();
    if (names.isEmpty()) {
      return String.valueOf(e.getMessage());
    }
    boolean value = String.valueOf(e.getMessage()).contains("parameter for option");
    return value
        ? names.getFirst() + " needs a value: " + e.getMissing().getFirst().paramLabel()
        : String.join(" and ", names) + (names.size() > 1 ? " are" : " is") + " missing";
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static String kind(ArgSpec argument) {
    if (argument.completionCandidates() != null) {
      List<String> words = new ArrayList<>();
      argument.completionCandidates().forEach(words::add);
      return "one of " + String.join(", ", words);
    }
    Class<?> type = argument.type();
    if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
      return "a whole number";
    }
    return type == double.class || type == Double.class ? "a number" : argument.paramLabel();
  }
}
