package dev.berth.cli;

import dev.berth.model.api.CatalogOfferView;
import dev.berth.model.api.OfferGroupView;
import dev.berth.model.api.OfferList;
import dev.berth.model.offers.PriceFormat;
import dev.berth.model.offers.SizeFormat;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Shows offers to a person: the cheapest of each backend and type, with the other regions folded
 * into it.
 */
final class OfferTable {
  private static final int SHOWN = 20;

  private OfferTable() {}

  /** What one row stands for. */
  private record Key(String backend, String instanceType, boolean spot, boolean suspect) {}

  /** The cheapest offer of a row, and all regions that have it. */
  private record Folded(CatalogOfferView cheapest, Set<String> regions) {}

  static void print(OfferList answer, PrintWriter out) {
    Collection<Folded> rows = rows(answer);
    table(rows).print(out);
    if (answer.total() > 0) {
      out.println(
          " Showing "
              + count(Math.min(SHOWN, rows.size()), "type")
              + " ("
              + count(answer.total(), "offer")
              + ")."
              + (rows.size() > SHOWN ? " For the others add filters, --group-by or --json." : ""));
    }
    if (rows.stream().limit(SHOWN).anyMatch(row -> isElsewhere(row.cheapest()))) {
      out.println(" * no backend is configured for this provider; runs cannot be placed there.");
    }
  }

  static Table table(OfferList answer) {
    return table(rows(answer));
  }

  private static Collection<Folded> rows(OfferList answer) {
    Map<Key, Folded> rows = new LinkedHashMap<>();
    for (CatalogOfferView offer : answer.offers()) {
      Key key = new Key(offer.backend(), offer.instanceType(), offer.spot(), offer.suspect());
      rows.computeIfAbsent(key, _ -> new Folded(offer, new LinkedHashSet<>()))
          .regions()
          .add(offer.region());
    }
    return rows.values();
  }

  private static Table table(Collection<Folded> rows) {
    Table table =
        new Table(
                "BACKEND", "TYPE", "REGION", "CPU", "MEMORY", "GPU", "SPOT", "PRICE", "PER GPU",
                "AGE")
            .drop("AGE", "PER GPU")
            .cut("BACKEND", "TYPE", "REGION", "GPU");
    rows.stream().limit(SHOWN).forEach(row -> add(row, table));
    return table;
  }

  private static boolean isElsewhere(CatalogOfferView offer) {
    return offer.availability().equals("not_configured");
  }

  private static void add(Folded row, Table table) {
    CatalogOfferView offer = row.cheapest();
    CatalogOfferView.Gpu gpu = offer.gpu();
    int others = row.regions().size() - 1;
    String more = others == 0 ? "" : " +" + others;
    table.row(
        offer.backend() + (isElsewhere(offer) ? " *" : ""),
        offer.instanceType(),
        offer.region() + more,
        offer.cpus() + (offer.arch().equals("arm") ? " arm" : ""),
        SizeFormat.ofMib(offer.memoryMib()),
        gpu == null ? "" : gpuText(gpu),
        offer.spot() ? "yes" : "",
        PriceFormat.perHour(offer.price()) + (offer.suspect() ? " ?" : ""),
        gpu == null ? "" : PriceFormat.perHour(offer.price() / gpu.count()),
        age(offer.ageSeconds()));
  }

  static void printGroups(
      long total, List<OfferGroupView> groups, List<String> keys, PrintWriter out) {
    List<String> heads = new ArrayList<>(keys.stream().map(key -> upper(key)).toList());
    heads.addAll(List.of("OFFERS", "FROM", "PER GPU"));
    Table table = new Table(heads.toArray(String[]::new));
    for (OfferGroupView group : groups.stream().limit(SHOWN).toList()) {
      List<String> cells = new ArrayList<>(keys.stream().map(key -> cell(group, key)).toList());
      Double perGpu = group.pricePerGpu();
      cells.add(String.valueOf(group.offers()));
      cells.add(PriceFormat.perHour(group.price()));
      cells.add(perGpu == null ? "" : PriceFormat.perHour(perGpu));
      table.row(cells.toArray(String[]::new));
    }
    table.print(out);
    out.println(
        " Showing "
            + Math.min(SHOWN, groups.size())
            + " of "
            + count(groups.size(), "group")
            + " by "
            + String.join(", ", keys)
            + " ("
            + count(total, "offer")
            + ").");
  }

  private static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private static String upper(String key) {
    return key.strip().toUpperCase(Locale.ROOT);
  }

  private static String cell(OfferGroupView group, String key) {
    Object value =
        switch (upper(key)) {
          case "GPU" -> String.valueOf(group.gpu()).isEmpty() ? "none" : group.gpu();
          case "BACKEND" -> group.backend();
          case "REGION" -> group.region();
          default -> group.count();
        };
    return String.valueOf(value);
  }

  private static String gpuText(CatalogOfferView.Gpu gpu) {
    return gpu.count() + "x" + gpu.name() + " " + SizeFormat.ofMib(gpu.memoryMib());
  }

  private static String age(long seconds) {
    if (seconds < 3600) {
      return seconds / 60 + "min";
    }
    return seconds < 48 * 3600 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }
}
