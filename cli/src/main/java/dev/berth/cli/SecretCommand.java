package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about secrets. */
@Command(
    name = "secret",
    description = "Look after the secrets of a project, which its runs may name.",
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
        "a command is needed: " + String.join(", ", spec.subcommands().keySet()));
  }
}
