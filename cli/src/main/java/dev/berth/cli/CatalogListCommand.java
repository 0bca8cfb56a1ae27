package dev.berth.cli;

import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.Snapshot;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the sources of the catalog. */
@Command(name = "list", description = "List the sources with their age and number of offers.")
final class CatalogListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    CatalogHome home = CatalogHome.inUse(spec.commandLine().getErr());
    CatalogStore store = home.folder().store();
    PrintWriter out = spec.commandLine().getOut();
    List<Snapshot> snapshots = home.load(spec.commandLine().getErr()).snapshots();
    if (json) {
      Json.print(
          Map.of("sources", snapshots.stream().map(snapshot -> tree(snapshot, store)).toList()),
          out);
      return ExitCode.OK;
    }
    Table table =
        new Table("SOURCE", "VERSION", "COLLECTED", "OFFERS", "SUSPECT", "SNAPSHOTS")
            .drop("SNAPSHOTS")
            .cut("SOURCE", "VERSION");
    Instant now = Instant.now();
    for (Snapshot snapshot : snapshots) {
      table.row(
          snapshot.source(),
          snapshot.version().orElse(""),
          Ago.of(snapshot.collectedAt(), now),
          String.valueOf(snapshot.offers()),
          String.valueOf(snapshot.suspects()),
          String.valueOf(store.versions(snapshot.source()).size()));
    }
    table.print(out);
    if (snapshots.isEmpty()) {
      out.println("There" + CatalogHome.NO_CATALOG.substring("there".length()) + ".");
    }
    return ExitCode.OK;
  }

  private static Map<String, @Nullable Object> tree(Snapshot snapshot, CatalogStore store) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("source", snapshot.source());
    tree.put("version", snapshot.version().orElse(null));
    tree.put("collected_at", snapshot.collectedAt().toString());
    tree.put("accounting", Json.tree(snapshot.accounting()));
    tree.put(
        "kept",
        store.versions(snapshot.source()).stream()
            .map(version -> String.valueOf(version.file().getFileName()))
            .toList());
    return tree;
  }
}
