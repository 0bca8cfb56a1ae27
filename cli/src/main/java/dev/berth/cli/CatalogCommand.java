package dev.berth.cli;

import picocli.CommandLine.Command;

/** Commands about the catalog of offers on this machine. */
@Command(
    name = "catalog",
    description = "Manage the catalog of offers on this machine.",
    subcommands = {
      CatalogListCommand.class,
      CatalogImportCommand.class,
      CatalogCollectCommand.class,
      CatalogCheckCommand.class,
      CatalogDiffCommand.class,
      CatalogFetchCommand.class,
      CatalogHistoryCommand.class,
      CatalogPublishCommand.class,
      CatalogStatsCommand.class
    })
final class CatalogCommand extends CommandGroup {}
