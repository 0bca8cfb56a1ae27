package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about users. */
@Command(
    name = "user",
    description = "Look after the users of the server.",
    subcommands = {
      UserListCommand.class,
      UserCreateCommand.class,
      UserUpdateCommand.class,
      UserDeleteCommand.class
    })
final class UserCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "a command is needed: " + String.join(", ", spec.subcommands().keySet()));
  }
}
