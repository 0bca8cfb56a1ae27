package dev.berth.cli;

import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.KnownSources;
import dev.berth.catalog.read.Importer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks sources for their prices again. */
@Command(
    name = "collect",
    description = "Ask sources for their prices again: those of plug-ins and those imported once.")
final class CatalogCollectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SOURCE", arity = "0..*", description = "The sources (default: all).")
  private List<String> sources = new ArrayList<>();

  @Option(names = "--force", description = "Take what the integrity gate refuses.")
  private boolean force;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    CatalogFolder folder = CatalogHome.find().folder();
    KnownSources known = new KnownSources(folder.origins(), KnownSources.onClassPath());
    if (known.names().isEmpty()) {
      throw new CommandFailure(ExitCode.FAILED, CatalogHome.NO_CATALOG);
    }
    CatalogHome.requireKnown(sources, known.names());
    try (Importer importer = folder.importer(warning -> err.println("berth: " + warning))) {
      CollectionView view = new CollectionView(spec.commandLine().getOut(), err, json);
      return view.end(
          CatalogHome.collector()
              .collect(
                  known.sources(sources.isEmpty() ? known.names() : sources, importer),
                  folder,
                  force,
                  view));
    }
  }
}
