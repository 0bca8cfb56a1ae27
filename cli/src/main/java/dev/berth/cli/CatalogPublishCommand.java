package dev.berth.cli;

import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.publish.Keys;
import dev.berth.catalog.publish.Manifest;
import dev.berth.catalog.publish.Publisher;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the catalog for others to read. */
@Command(
    name = "publish",
    description = "Write the catalog in gpuhunt's v3 layout, with a signed manifest.")
final class CatalogPublishCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "DIR", description = "The folder to write to.")
  private Path folder = Path.of(".");

  @Option(names = "--json", description = "Print the manifest as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    CatalogHome home = CatalogHome.find();
    List<SnapshotContent> contents =
        home.load(spec.commandLine().getErr()).snapshots().stream().map(Snapshot::content).toList();
    if (contents.isEmpty()) {
      throw new CommandFailure(ExitCode.FAILED, CatalogHome.NO_CATALOG);
    }
    Manifest manifest =
        Publisher.publish(folder, contents, Keys.loadOrCreate(home.folder().keyFile()));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(Json.tree(manifest), out);
    } else {
      manifest
          .providers()
          .forEach(
              (name, entry) -> out.println(name + " " + entry.version() + ": " + entry.rows()));
      out.println(
          "The manifest is signed; the public key is in " + folder.resolve(Manifest.PUBLIC_KEY));
    }
    return ExitCode.OK;
  }
}
