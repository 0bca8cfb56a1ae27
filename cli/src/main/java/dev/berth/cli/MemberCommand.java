package dev.berth.cli;

import picocli.CommandLine.Command;

/** Commands about the members of a project. */
@Command(
    name = "member",
    description = "Manage the members of a project.",
    subcommands = {MemberListCommand.class, MemberAddCommand.class, MemberRemoveCommand.class})
final class MemberCommand extends CommandGroup {}
