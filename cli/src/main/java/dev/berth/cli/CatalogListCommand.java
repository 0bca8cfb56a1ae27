package dev.berth.cli;

import dev.berth.catalog.collect.AccountCatalogs;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.Snapshot;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
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
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    List<Listed> listed = new ArrayList<>();
    CatalogHome home = CatalogHome.inUse(err);
    home.load(err)
        .snapshots()
        .forEach(snapshot -> listed.add(new Listed(snapshot, home.folder().store(), null)));
    AccountCatalogs accounts = CatalogHome.accounts();
    for (String backend : accounts.backends()) {
      CatalogHome own = new CatalogHome(accounts.of(backend));
      own.load(err)
          .snapshots()
          .forEach(snapshot -> listed.add(new Listed(snapshot, own.folder().store(), backend)));
    }
    if (json) {
      Json.print(Map.of("sources", listed.stream().map(Listed::tree).toList()), out);
      return ExitCode.OK;
    }
    Table table =
        new Table("SOURCE", "VERSION", "COLLECTED", "OFFERS", "SUSPECT", "SNAPSHOTS")
            .drop("SNAPSHOTS")
            .cut("SOURCE", "VERSION");
    Instant now = Instant.now();
    for (Listed one : listed) {
      Snapshot snapshot = one.snapshot();
      table.row(
          one.name(),
          snapshot.version().orElse(""),
          Ago.of(snapshot.collectedAt(), now),
          String.valueOf(snapshot.offers()),
          String.valueOf(snapshot.suspects()),
          String.valueOf(one.store().versions(snapshot.source()).size()));
    }
    table.print(out);
    if (listed.isEmpty()) {
      out.println("There" + CatalogHome.NO_CATALOG.substring("there".length()) + ".");
    }
    return ExitCode.OK;
  }

  /**
   * One source.
   *
   * @param backend the key of the backend whose account alone sees it; null for everybody's
   */
  private record Listed(Snapshot snapshot, CatalogStore store, @Nullable String backend) {
    String name() {
      return backend == null ? snapshot.source() : snapshot.source() + " (" + backend + ")";
    }

    Map<String, @Nullable Object> tree() {
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("source", snapshot.source());
      if (backend != null) {
        tree.put("backend", backend);
      }
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
}
