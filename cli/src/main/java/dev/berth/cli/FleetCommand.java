package dev.berth.cli;

import picocli.CommandLine.Command;

/** Commands about fleets; apply makes and changes them. */
@Command(
    name = "fleet",
    description = "Manage fleets: groups of machines that runs can use.",
    subcommands = {FleetListCommand.class, FleetGetCommand.class, FleetDeleteCommand.class})
final class FleetCommand extends CommandGroup {}
