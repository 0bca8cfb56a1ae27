package dev.berth.cli;

import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.gate.OfferKey;
import dev.berth.catalog.gate.PriceHistory;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.PriceFormat;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what an instance type cost over time. */
@Command(
    name = "history",
    description = "Show the price history of an instance type across the stored snapshots.")
final class CatalogHistoryCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description = "A source, as listed by berth catalog list.")
  private String source = "";

  @Parameters(index = "1", paramLabel = "TYPE", description = "An instance type.")
  private String instanceType = "";

  @Option(
      names = {"-r", "--region"},
      paramLabel = "REGION",
      description = "A region or zone. Repeatable.")
  private List<String> regions = new ArrayList<>();

  @Option(names = "--json", description = "Print JSON, with every price.")
  private boolean json;

  @Override
  public Integer call() {
    CatalogFolder folder = CatalogHome.inUse(spec.commandLine().getErr()).folder();
    PriceHistory history = PriceHistory.of(folder.history(source), this::isWanted);
    if (history.series().isEmpty()) {
      throw new CommandFailure(
          ExitCode.FAILED, "no snapshot of " + source + " has " + instanceType + " there");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      List<Object> offers = new ArrayList<>();
      history.series().forEach((key, series) -> offers.add(tree(key, series)));
      Json.print(Map.of("offers", offers), out);
      return ExitCode.OK;
    }
    Table table =
        new Table("PLACE", "SPOT", "PRICES", "MIN", "MEDIAN", "MAX", "NOW", "CHANGED")
            .drop("PRICES", "MEDIAN")
            .cut("PLACE");
    history
        .series()
        .forEach(
            (key, series) ->
                table.row(
                    place(key),
                    key.spot() ? "yes" : "",
                    String.valueOf(series.points().size()),
                    PriceFormat.dollars(series.min()),
                    PriceFormat.dollars(series.median()),
                    PriceFormat.dollars(series.max()),
                    PriceFormat.dollars(series.latest().price()),
                    series.lastChange().map(point -> Ago.date(point.time())).orElse("never")));
    table.print(out);
    return ExitCode.OK;
  }

  private boolean isWanted(CatalogItem item) {
    return item.instanceType().equalsIgnoreCase(instanceType)
        && (regions.isEmpty()
            || regions.stream()
                .anyMatch(
                    region ->
                        region.equalsIgnoreCase(item.region())
                            || region.equalsIgnoreCase(item.zone())));
  }

  private static String place(OfferKey key) {
    String zone = key.zone();
    return zone == null ? key.region() : zone;
  }

  private static Map<String, @Nullable Object> tree(OfferKey key, PriceHistory.Series series) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("region", key.region());
    tree.put("zone", key.zone());
    tree.put("spot", key.spot());
    tree.put("min", series.min());
    tree.put("median", series.median());
    tree.put("max", series.max());
    tree.put(
        "prices",
        series.points().stream()
            .map(point -> Map.of("time", point.time().toString(), "price", point.price()))
            .toList());
    return tree;
  }
}
