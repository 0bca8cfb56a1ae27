package dev.berth.cli;

import picocli.CommandLine.Command;

/** Commands about users. */
@Command(
    name = "user",
    description = "Manage the users of the server.",
    subcommands = {
      UserListCommand.class,
      UserCreateCommand.class,
      UserUpdateCommand.class,
      UserDeleteCommand.class
    })
final class UserCommand extends CommandGroup {}
