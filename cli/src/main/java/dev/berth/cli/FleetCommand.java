package dev.berth.cli;

import picocli.CommandLine.Command;

/** Commands about fleets; apply makes and changes them. */
@Command(
    name = "fleet",
    description = "Look after fleets: machines that are kept together for runs.",
    subcommands = {FleetListCommand.class, FleetGetCommand.class, FleetDeleteCommand.class})
final class FleetCommand extends CommandGroup {}
