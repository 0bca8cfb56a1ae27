package dev.berth.cli;

import dev.berth.catalog.CatalogException;
import dev.berth.client.ClientException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line's entrance. */
@Command(
    name = "berth",
    description =
        "Runs jobs on clouds, clusters and your own machines: finds the best offer, runs the job"
            + " there and releases the machine.",
    versionProvider = Berth.Version.class,
    synopsisSubcommandLabel = "COMMAND")
public final class Berth implements Runnable {
  /** All commands in the order of the help. */
  private static final Map<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("apply", ApplyCommand::new);
    COMMANDS.put("plan", PlanCommand::new);
    COMMANDS.put("ps", PsCommand::new);
    COMMANDS.put("show", ShowCommand::new);
    COMMANDS.put("run", RunCommand::new);
    COMMANDS.put("logs", LogsCommand::new);
    COMMANDS.put("attach", AttachCommand::new);
    COMMANDS.put("exec", ExecCommand::new);
    COMMANDS.put("stop", StopCommand::new);
    COMMANDS.put("delete", DeleteCommand::new);
    COMMANDS.put("explain", ExplainCommand::new);
    COMMANDS.put("metrics", MetricsCommand::new);
    COMMANDS.put("fleet", FleetCommand::new);
    COMMANDS.put("offer", OfferCommand::new);
    COMMANDS.put("catalog", CatalogCommand::new);
    COMMANDS.put("backend", BackendCommand::new);
    COMMANDS.put("project", ProjectCommand::new);
    COMMANDS.put("user", UserCommand::new);
    COMMANDS.put("token", TokenCommand::new);
    COMMANDS.put("secret", SecretCommand::new);
    COMMANDS.put("event", EventCommand::new);
    COMMANDS.put("server", ServerCommand::new);
    COMMANDS.put("login", LoginCommand::new);
    COMMANDS.put("logout", LogoutCommand::new);
    COMMANDS.put("config", ConfigCommand::new);
    COMMANDS.put("doctor", DoctorCommand::new);
    COMMANDS.put("validate", ValidateCommand::new);
    COMMANDS.put("schema", SchemaCommand::new);
    COMMANDS.put("completion", CompletionCommand::new);
    COMMANDS.put("help", CommandLine.HelpCommand::new);
  }

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
    List<String> words = List.of(arguments);
    if (!words.isEmpty() && words.getFirst().equals(CompletionNames.COMMAND)) {
      return CompletionNames.print(words.subList(1, words.size()), out, err);
    }
    return commandLine(arguments).setOut(out).setErr(err).execute(arguments);
  }

  /**
   * Sets up only the command that is asked for: describing all of them takes longer than most run.
   */
  static CommandLine commandLine(String... arguments) {
    CommandLine commandLine = new CommandLine(new Berth());
    String first = arguments.length == 0 ? "" : arguments[0];
    // Only help looks at the others, so that all must be there.
    boolean one = isVersion(arguments) || (COMMANDS.containsKey(first) && !first.equals("help"));
    COMMANDS.forEach(
        (name, command) -> {
          if (!one || name.equals(first)) {
            commandLine.addSubcommand(name, command.get());
          }
        });
    if (first.equals(SimulateCommand.NAME)) {
      commandLine.addSubcommand(SimulateCommand.NAME, new SimulateCommand());
    }
    addHelp(commandLine);
    commandLine
        .getCommandSpec()
        .addOption(
            CommandLine.Model.OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Print the version and exit.")
                .build());
    commandLine.setExitCodeExceptionMapper(_ -> ExitCode.FAILED);
    commandLine.setParameterExceptionHandler(UsageErrors::explain);
    commandLine.setExecutionExceptionHandler(Berth::explainFailure);
    return commandLine;
  }

  private static boolean isVersion(String... arguments) {
    return arguments.length == 1 && Set.of("-V", "--version").contains(arguments[0]);
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

  private static int explainFailure(
      Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    if (e instanceof CommandFailure failure) {
      command.getErr().println("berth: " + failure.getMessage());
      return failure.exitCode();
    }
    if (e instanceof CatalogException wrong) {
      command.getErr().println("berth: " + wrong.getMessage());
      return ExitCode.INVALID_FILE;
    }
    if (e instanceof ClientException refused) {
      command.getErr().println("berth: " + refused.getMessage());
      return switch (refused.status()) {
        case 0 -> ExitCode.NO_SERVER;
        case 401, 403, 409, 413, 422 -> ExitCode.REFUSED;
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
    throw new CommandLine.ParameterException(spec.commandLine(), "no command given");
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
