package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about projects. */
@Command(
    name = "project",
    description = "Look after projects, and say who is a member of which.",
    subcommands = {
      ProjectListCommand.class,
      ProjectCreateCommand.class,
      ProjectDeleteCommand.class,
      MemberCommand.class
    })
final class ProjectCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "a command is needed: " + String.join(", ", spec.subcommands().keySet()));
  }
}
