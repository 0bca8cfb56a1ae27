package dev.berth.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only has others below it: by itself it says which. */
abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command given; choose one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
