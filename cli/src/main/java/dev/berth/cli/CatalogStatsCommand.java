package dev.berth.cli;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.index.Catalog;
import dev.berth.catalog.index.Group;
import dev.berth.catalog.index.GroupKey;
import dev.berth.catalog.index.Snapshot;
import dev.berth.model.offers.OfferFilter;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Counts what the catalog holds. */
@Command(
    name = "stats",
    description = "Show statistics of the catalog, including what became of each imported row.")
final class CatalogStatsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Catalog catalog =
        CatalogHome.inUse(spec.commandLine().getErr()).load(spec.commandLine().getErr());
    Map<String, Object> counts = counts(catalog);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(counts, out);
      return ExitCode.OK;
    }
    counts.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> map) {
            out.println(" " + name.replace('_', ' ') + ":");
            map.forEach((key, count) -> out.println("   " + key + ": " + count));
          } else {
            out.println(" " + name.replace('_', ' ') + ": " + value);
          }
        });
    return ExitCode.OK;
  }

  private static Map<String, Object> counts(Catalog catalog) {
    List<Accounting> all = catalog.snapshots().stream().map(Snapshot::accounting).toList();
    Map<String, Long> refused = new TreeMap<>();
    all.forEach(
        accounting ->
            accounting.refused().forEach((reason, rows) -> refused.merge(reason, rows, Long::sum)));
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("sources", catalog.snapshots().size());
    counts.put("rows", sum(all, Accounting::rows));
    counts.put("offers", sum(all, Accounting::offers));
    counts.put("suspect", sum(all, Accounting::suspects));
    counts.put("repaired", sum(all, Accounting::repaired));
    counts.put("merged", sum(all, Accounting::duplicates));
    counts.put("dearer_twins", sum(all, Accounting::repriced));
    counts.put("refused", refused);
    counts.put("offers_by_backend", byKey(catalog, GroupKey.BACKEND));
    counts.put("offers_by_gpu", byKey(catalog, GroupKey.GPU));
    return counts;
  }

  private interface Count {
    long of(Accounting accounting);
  }

  private static long sum(List<Accounting> all, Count count) {
    return all.stream().mapToLong(count::of).sum();
  }

  private static Map<String, Long> byKey(Catalog catalog, GroupKey key) {
    Map<String, Long> counts = new TreeMap<>();
    for (Group group : catalog.groups(OfferFilter.ANY, List.of(key))) {
      String name = key == GroupKey.GPU ? group.key().gpu() : group.key().backend();
      counts.put(name == null ? "none" : name, group.offers());
    }
    return counts;
  }
}
