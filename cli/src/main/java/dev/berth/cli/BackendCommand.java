package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about the backends of a server, and about types of backends. */
@Command(
    name = "backend",
    description = "Look after backends: the accounts, clusters and machines that runs can use.",
    subcommands = {
      BackendListCommand.class,
      BackendAddCommand.class,
      BackendCheckCommand.class,
      BackendRemoveCommand.class,
      BackendTypesCommand.class,
      BackendDocsCommand.class,
      BackendSuggestCommand.class,
      BackendNewCommand.class,
      BackendVerifyCommand.class
    })
final class BackendCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "a command is needed: " + String.join(", ", spec.subcommands().keySet()));
  }
}
