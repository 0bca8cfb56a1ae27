package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about the members of a project. */
@Command(
    name = "member",
    description = "Say who is a member of a project.",
    subcommands = {MemberListCommand.class, MemberAddCommand.class, MemberRemoveCommand.class})
final class MemberCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "a command is needed: " + String.join(", ", spec.subcommands().keySet()));
  }
}
