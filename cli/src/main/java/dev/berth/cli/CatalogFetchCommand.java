package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Fetches the default catalog where it is due; started in the background by other commands. */
@Command(
    name = CatalogFetchCommand.NAME,
    hidden = true,
    description = "Fetch the default catalog where it is due.")
final class CatalogFetchCommand implements Callable<Integer> {
  static final String NAME = "fetch";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    DefaultCatalogs.openHere(Home.find(), spec.commandLine().getErr()).fetchIfDue();
    return ExitCode.OK;
  }
}
