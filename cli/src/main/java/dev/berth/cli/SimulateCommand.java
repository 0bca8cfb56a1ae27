package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * Says where the simulation is: contributors have it in their source tree, whose launcher never
 * gets here. No help speaks of it.
 */
@Command(
    name = SimulateCommand.NAME,
    hidden = true,
    description = "Simulate the control plane; only in the source tree.")
final class SimulateCommand implements Callable<Integer> {
  static final String NAME = "simulate";

  /** Whatever it was called with, the answer is the same. */
  @Unmatched private List<String> ignored = new ArrayList<>();

  @Override
  public Integer call() {
    throw new CommandFailure(
        ExitCode.USAGE,
        "'berth "
            + String.join(" ", NAME, String.join(" ", ignored)).strip()
            + "' is for contributors and not part of this distribution; clone the sources of Berth"
            + " and run ./berth simulate there");
  }
}
