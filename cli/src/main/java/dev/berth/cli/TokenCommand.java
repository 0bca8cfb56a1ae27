package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about tokens. */
@Command(
    name = "token",
    description = "Look after your tokens, with which programs act for you.",
    subcommands = {TokenListCommand.class, TokenCreateCommand.class, TokenRevokeCommand.class})
final class TokenCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "a command is needed: " + String.join(", ", spec.subcommands().keySet()));
  }
}
