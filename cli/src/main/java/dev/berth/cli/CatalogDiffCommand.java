package dev.berth.cli;

import dev.berth.catalog.gate.CatalogDiff;
import dev.berth.catalog.gate.Diff;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.PriceFormat;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two snapshots. */
@Command(name = "diff", description = "Compare two snapshots: added, removed and changed offers.")
final class CatalogDiffCommand implements Callable<Integer> {
  private static final int SHOWN = 20;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "A", description = SnapshotArgument.FORMS + ".")
  private String before = "";

  @Parameters(index = "1", paramLabel = "B", description = "The later snapshot, in the same form.")
  private String after = "";

  @Option(names = "--json", description = "Print JSON, with every change.")
  private boolean json;

  @Override
  public Integer call() {
    CatalogStore store = CatalogHome.inUse(spec.commandLine().getErr()).folder().store();
    CatalogDiff diff =
        Diff.between(SnapshotArgument.read(before, store), SnapshotArgument.read(after, store));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(tree(diff), out);
      return ExitCode.OK;
    }
    out.println(
        " %d added, %d removed, %d repriced, %d changed, %d the same"
            .formatted(
                diff.added().size(),
                diff.removed().size(),
                diff.repriced().size(),
                diff.changed().size(),
                diff.unchanged()));
    show("+", diff.added(), out);
    show("-", diff.removed(), out);
    diff.repriced().stream()
        .limit(SHOWN)
        .forEach(change -> out.println(" $ " + name(change.after()) + " " + prices(change)));
    more(diff.repriced().size(), out);
    diff.changed().stream()
        .limit(SHOWN)
        .forEach(
            change ->
                out.println(
                    " ~ " + name(change.after()) + " " + String.join(", ", change.fields())));
    more(diff.changed().size(), out);
    return ExitCode.OK;
  }

  private static void show(String sign, List<CatalogItem> items, PrintWriter out) {
    items.stream()
        .limit(SHOWN)
        .forEach(
            item ->
                out.println(
                    " " + sign + " " + name(item) + " " + PriceFormat.dollars(item.price())));
    more(items.size(), out);
  }

  private static void more(int size, PrintWriter out) {
    if (size > SHOWN) {
      out.println("   ... and " + (size - SHOWN) + " more; --json shows all");
    }
  }

  private static String prices(CatalogDiff.Repriced change) {
    String percent =
        change.percent().isPresent()
            ? String.format(Locale.ROOT, " (%+.1f %%)", change.percent().getAsDouble())
            : "";
    return PriceFormat.dollars(change.before().price())
        + " -> "
        + PriceFormat.dollars(change.after().price())
        + percent;
  }

  private static String name(CatalogItem item) {
    String zone = item.zone();
    return item.provider()
        + " "
        + item.instanceType()
        + " "
        + (zone == null ? item.region() : zone)
        + (item.spot() ? " spot" : "");
  }

  private static Map<String, @Nullable Object> tree(CatalogDiff diff) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("added", Json.tree(diff.added()));
    tree.put("removed", Json.tree(diff.removed()));
    tree.put(
        "repriced",
        diff.repriced().stream()
            .map(
                change ->
                    Map.of(
                        "offer",
                        Json.tree(change.after()),
                        "before",
                        change.before().price(),
                        "after",
                        change.after().price()))
            .toList());
    tree.put(
        "changed",
        diff.changed().stream()
            .map(
                change ->
                    Map.of(
                        "before",
                        Json.tree(change.before()),
                        "after",
                        Json.tree(change.after()),
                        "fields",
                        change.fields()))
            .toList());
    tree.put("unchanged", diff.unchanged());
    return tree;
  }
}
