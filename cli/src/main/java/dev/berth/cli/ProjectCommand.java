package dev.berth.cli;

import picocli.CommandLine.Command;

/** Commands about projects. */
@Command(
    name = "project",
    description = "Manage projects and their members.",
    subcommands = {
      ProjectListCommand.class,
      ProjectCreateCommand.class,
      ProjectDeleteCommand.class,
      MemberCommand.class
    })
final class ProjectCommand extends CommandGroup {}
