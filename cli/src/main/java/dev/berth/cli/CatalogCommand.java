package dev.berth.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about the catalog of offers on this machine. */
@Command(
    name = "catalog",
    description = "Look after the catalog of offers on this machine.",
    subcommands = {
      CatalogListCommand.class,
      CatalogImportCommand.class,
      CatalogCollectCommand.class,
      CatalogCheckCommand.class,
      CatalogDiffCommand.class,
      CatalogHistoryCommand.class,
      CatalogPublishCommand.class,
      CatalogStatsCommand.class
    })
final class CatalogCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "a command is needed: list, import, collect, check, diff, history, publish or stats");
  }
}
