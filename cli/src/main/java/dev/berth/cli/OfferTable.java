package dev.berth.cli;

import dev.berth.model.api.CatalogOfferView;
import dev.berth.model.api.OfferGroupView;
import dev.berth.model.api.OfferList;
import java.io.PrintWriter;
import java.util.ArrayList;
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

  /** Together with the other columns they fit into a terminal of 120 columns. */
  private static final int LONGEST_TYPE = 20;

  private static final int LONGEST_REGION = 16;
  private static final int LONGEST_BACKEND = 10;
  private static final int LONGEST_GPU = 17;

  private OfferTable() {}

  /** What one row stands for. */
  private record Key(String backend, String instanceType, boolean spot, boolean suspect) {}

  /** The cheapest offer of a row, and all regions that have it. */
  private record Folded(CatalogOfferView cheapest, Set<String> regions) {}

  static void print(OfferList answer, PrintWriter out) {
    Map<Key, Folded> rows = new LinkedHashMap<>();
    for (CatalogOfferView offer : answer.offers()) {
      Key key = new Key(offer.backend(), offer.instanceType(), offer.spot(), offer.suspect());
      rows.computeIfAbsent(key, _ -> new Folded(offer, new LinkedHashSet<>()))
          .regions()
          .add(offer.region());
    }
    Table table =
        new Table(
            "BACKEND", "TYPE", "REGION", "CPU", "MEMORY", "GPU", "SPOT", "PRICE", "PER GPU", "AGE");
    rows.values().stream().limit(SHOWN).forEach(row -> add(row, table));
    table.print(out);
    if (answer.total() > 0) {
      out.println(
          " Shown are "
              + Math.min(SHOWN, rows.size())
              + (Math.min(SHOWN, rows.size()) == 1 ? " type of " : " types of ")
              + answer.total()
              + (answer.total() == 1 ? " offer." : " offers.")
              + (rows.size() > SHOWN ? " Filter more, or use --json or --group-by." : ""));
    }
  }

  private static void add(Folded row, Table table) {
    CatalogOfferView offer = row.cheapest();
    CatalogOfferView.Gpu gpu = offer.gpu();
    int others = row.regions().size() - 1;
    String more = others == 0 ? "" : " +" + others;
    table.row(
        shortened(offer.backend(), LONGEST_BACKEND),
        shortened(offer.instanceType(), LONGEST_TYPE),
        shortened(offer.region(), LONGEST_REGION - more.length()) + more,
        offer.cpus() + (offer.arch().equals("arm") ? " arm" : ""),
        gib(offer.memoryMib()),
        gpu == null ? "" : shortened(gpuText(gpu), LONGEST_GPU),
        offer.spot() ? "yes" : "",
        dollars(offer.price()) + (offer.suspect() ? " ?" : ""),
        gpu == null ? "" : dollars(offer.price() / gpu.count()),
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
      cells.add(dollars(group.price()));
      cells.add(perGpu == null ? "" : dollars(perGpu));
      table.row(cells.toArray(String[]::new));
    }
    table.print(out);
    out.println(
        " Shown are "
            + Math.min(SHOWN, groups.size())
            + " of "
            + groups.size()
            + " groups by "
            + String.join(", ", keys)
            + ", of "
            + total
            + (total == 1 ? " offer." : " offers."));
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
    return gpu.count() + "x" + gpu.name() + " " + gib(gpu.memoryMib());
  }

  private static String gib(long mib) {
    return mib % 1024 == 0 || mib >= 10_240
        ? Math.round(mib / 1024.0) + "GB"
        : String.format(Locale.ROOT, "%.1fGB", mib / 1024.0);
  }

  /** Cents matter for big machines, hundredths of them for small ones. */
  private static String dollars(double price) {
    return String.format(Locale.ROOT, price < 1 ? "$%.4f" : "$%.2f", price);
  }

  private static String age(long seconds) {
    if (seconds < 3600) {
      return seconds / 60 + "min";
    }
    return seconds < 48 * 3600 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }

  private static String shortened(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }
}
