package dev.berth.cli;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.Origins;
import dev.berth.catalog.publish.Keys;
import dev.berth.catalog.publish.Manifest;
import dev.berth.catalog.read.CatalogFormat;
import dev.berth.catalog.read.ImportRequest;
import dev.berth.catalog.read.Importer;
import dev.berth.spi.OfferSource;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Brings in catalogs that others publish. */
@Command(
    name = "import",
    description = "Import a published catalog; refresh it later with berth catalog collect.")
final class CatalogImportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--format",
      required = true,
      paramLabel = "FORMAT",
      description = "gpuhunt (v2 or v3) or skypilot.")
  private String format = "";

  @Parameters(
      index = "0",
      paramLabel = "PATH|URL",
      description = "A folder, a CSV or zip file, or an http(s) address.")
  private String place = "";

  @Option(names = "--version", paramLabel = "VERSION", description = "Import exactly this version.")
  private @Nullable String version;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "Import only offers of this provider. Repeatable.")
  private Set<String> providers = new LinkedHashSet<>();

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description =
          "The public key to verify a folder's signed manifest with (default: the one in the"
              + " folder).")
  private @Nullable Path key;

  @Option(names = "--force", description = "Take what the integrity gate refuses.")
  private boolean force;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  private static CatalogFormat known(String word) {
    try {
      return CatalogFormat.of(word);
    } catch (CatalogException e) {
      throw new CommandFailure(ExitCode.USAGE, "--format: " + e.getMessage());
    }
  }

  /** A folder with a manifest must be as it was signed. */
  private void verify(Path folder) {
    if (Files.isRegularFile(folder.resolve(Manifest.FILE))) {
      Path signedBy = key == null ? folder.resolve(Manifest.PUBLIC_KEY) : key;
      Manifest.verify(folder, Keys.loadPublic(signedBy));
    } else if (key != null) {
      throw new CommandFailure(
          ExitCode.USAGE, "--key: there is no " + Manifest.FILE + " in " + place + " to check");
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    CatalogFolder folder = CatalogHome.find().folder();
    CatalogFormat known = known(format);
    String absolute =
        place.contains("://") ? place : Path.of(place).toAbsolutePath().normalize().toString();
    verify(Path.of(absolute));
    try (Importer importer = folder.importer(warning -> err.println("berth: " + warning))) {
      List<OfferSource> sources =
          importer.sources(new ImportRequest(known, absolute, version, providers));
      CollectionView view = new CollectionView(spec.commandLine().getOut(), err, json);
      CatalogFolder target = folder.importing(new Origins.Origin(known, absolute, version));
      return view.end(CatalogHome.collector().collect(sources, target, force, view));
    }
  }
}
