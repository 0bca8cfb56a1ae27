package dev.berth.cli;

import dev.berth.model.api.FleetRequest;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What apply and plan add to a file. */
final class RunOptions {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "The configuration file; - for standard input.")
  private @Nullable String file;

  @Option(
      names = {"-n", "--name"},
      paramLabel = "NAME",
      description = "The name of the run.")
  private @Nullable String name;

  @Option(names = "--profile", paramLabel = "NAME", description = "The profile to use.")
  private @Nullable String profile;

  @Option(
      names = {"-e", "--env"},
      paramLabel = "KEY=VALUE",
      description =
          "An environment variable; without a value, it is taken from your shell. Repeatable.")
  private List<String> environment = new ArrayList<>();

  @Parameters(
      paramLabel = "ARGS",
      arity = "0..*",
      description = "Arguments after --. In the file, they are the value of run.args.")
  private List<String> arguments = new ArrayList<>();

  private RunFile.@Nullable Source source;

  /** The fleet that the file describes; empty where it describes something else. */
  Optional<FleetRequest> findFleet(PrintWriter err) {
    Optional<FleetRequest> fleet = FleetFile.find(source(), name, err);
    if (fleet.isPresent() && (profile != null || !environment.isEmpty() || !arguments.isEmpty())) {
      throw new CommandFailure(
          ExitCode.USAGE, "--profile, -e and arguments are for runs; the file describes a fleet");
    }
    return fleet;
  }

  RunFile read(PrintWriter err) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String variable : environment) {
      int equals = variable.indexOf('=');
      String key = equals < 0 ? variable : variable.substring(0, equals);
      String value = equals < 0 ? System.getenv(key) : variable.substring(equals + 1);
      if (key.isEmpty() || value == null) {
        throw new CommandFailure(
            ExitCode.USAGE, "-e " + variable + ": expected KEY=VALUE, or a KEY that is set here");
      }
      variables.put(key, value);
    }
    return RunFile.read(source(), new RunFile.Additions(name, profile, variables, arguments), err);
  }

  private RunFile.Source source() {
    RunFile.Source read = source == null ? RunFile.Source.read(file) : source;
    source = read;
    return read;
  }
}
