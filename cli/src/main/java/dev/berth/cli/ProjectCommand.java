package dev.berth.cli;

import picocli.CommandLine.Command;

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
final class ProjectCommand extends CommandGroup {}
