package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about secrets. */
@Command(
    name = "secret",
    description = "Manage the secrets of a project, which its runs can refer to.",
    subcommands = {
      SecretListCommand.class,
      SecretSetCommand.class,
      SecretGetCommand.class,
      SecretDeleteCommand.class
    })
final class SecretCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "no command given; choose one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
