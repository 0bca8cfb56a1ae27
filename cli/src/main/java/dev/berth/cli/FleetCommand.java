package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about fleets; apply makes and changes them. */
@Command(
    name = "fleet",
    description = "Look after fleets: machines that are kept together for runs.",
    subcommands = {FleetListCommand.class, FleetGetCommand.class, FleetDeleteCommand.class})
final class FleetCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "a command is needed: " + String.join(", ", spec.subcommands().keySet()));
  }
}
