package dev.berth.cli;

import dev.berth.client.ClientException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line's entrance. */
@Command(
    name = "berth",
    description = "Finds a place for your work, runs it there, and gives the place back.",
    versionProvider = Berth.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ApplyCommand.class,
      PlanCommand.class,
      PsCommand.class,
      RunCommand.class,
      LogsCommand.class,
      StopCommand.class,
      DeleteCommand.class,
      EventCommand.class,
      ServerCommand.class,
      ConfigCommand.class,
      ValidateCommand.class,
      SchemaCommand.class,
      CompletionCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Berth implements Runnable {
  @Spec private CommandSpec spec;

  Berth() {
    spec = CommandSpec.create();
  }

  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int code = run(out, err, arguments);
    out.flush();
    err.flush();
    if (code != ExitCode.OK) {
      System.exit(code);
    }
  }

  /** Runs one command line and returns its exit code; nothing is written but to the two writers. */
  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return commandLine().setOut(out).setErr(err).execute(arguments);
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Berth());
    addHelp(commandLine);
    commandLine
        .getCommandSpec()
        .addOption(
            CommandLine.Model.OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Print the version and exit.")
                .build());
    commandLine.setExitCodeExceptionMapper(_ -> ExitCode.FAILED);
    commandLine.setParameterExceptionHandler(Berth::explainUsage);
    commandLine.setExecutionExceptionHandler(Berth::explainFailure);
    return commandLine;
  }

  /** {@code --help} works at every command without each of them saying so. */
  private static void addHelp(CommandLine commandLine) {
    if (!commandLine.getCommandSpec().optionsMap().containsKey("--help")) {
      commandLine
          .getCommandSpec()
          .addOption(
              CommandLine.Model.OptionSpec.builder("-h", "--help")
                  .usageHelp(true)
                  .description("Show this help and exit.")
                  .build());
    }
    commandLine.getSubcommands().values().forEach(Berth::addHelp);
  }

  private static int explainUsage(CommandLine.ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("berth: " + sentence(e));
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  /** What is wrong with the words of the command line. */
  private static String sentence(CommandLine.ParameterException e) {
    if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
      String word = unmatched.getUnmatched().getFirst();
      boolean command = !e.getCommandLine().getSubcommands().isEmpty() && !word.startsWith("-");
      return (command ? "there is no command '" : "'")
          + word
          + (command ? "'" : "' is not known here");
    }
    return String.valueOf(e.getMessage());
  }

  private static int explainFailure(
      Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    if (e instanceof CommandFailure failure) {
      command.getErr().println("berth: " + failure.getMessage());
      return failure.exitCode();
    }
    if (e instanceof ClientException refused) {
      command.getErr().println("berth: " + refused.getMessage());
      return switch (refused.status()) {
        case 0 -> ExitCode.NO_SERVER;
        case 401, 403, 409, 422 -> ExitCode.REFUSED;
        default -> ExitCode.FAILED;
      };
    }
    command.getErr().println("berth: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
    if (System.getenv("BERTH_DEBUG") != null) {
      e.printStackTrace(command.getErr());
    } else {
      command.getErr().println("Set BERTH_DEBUG=1 to see where it happened.");
    }
    return ExitCode.FAILED;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "a command is needed");
  }

  /** The version that the build wrote into the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Berth.class.getPackage().getImplementationVersion();
      return new String[] {"berth " + (version == null ? "(not packaged)" : version)};
    }
  }
}
