package dev.berth.cli;

import picocli.CommandLine.Command;

/** Commands about the backends of a server, and about types of backends. */
@Command(
    name = "backend",
    description = "Manage backends: the accounts, clusters and machines that runs can use.",
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
final class BackendCommand extends CommandGroup {}
