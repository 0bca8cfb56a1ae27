package dev.berth.cli;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.collect.Progress;
import dev.berth.catalog.collect.Report;
import dev.berth.catalog.gate.Finding;
import dev.berth.catalog.gate.Verdict;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows how a collection goes on and what came of it. */
final class CollectionView implements Progress {
  private static final int PLACES_SHOWN = 3;

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;

  CollectionView(PrintWriter out, PrintWriter err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  @Override
  public void fetched(String source, long rows) {
    err.println(source + ": " + rows + " rows");
  }

  @Override
  public void finished(Report report) {
    if (json) {
      return;
    }
    switch (report) {
      case Report.Accepted accepted -> {
        out.println(accepted.source() + ": " + counts(accepted.accounting()));
        print(accepted.verdict(), out);
        accepted.refusedRows().stream()
            .limit(PLACES_SHOWN)
            .forEach(row -> out.println("    " + row.where() + ": " + row.reason()));
      }
      case Report.Refused refused -> {
        out.println(
            refused.source()
                + ": refused; the previous snapshot is kept (use --force to accept this one"
                + " anyway)");
        print(refused.verdict(), out);
      }
      case Report.Failed failed -> out.println(failed.source() + ": failed: " + failed.sentence());
    }
    out.flush();
  }

  static void print(Verdict verdict, PrintWriter out) {
    for (Finding finding : verdict.findings()) {
      out.println("  " + word(finding.severity()) + ": " + finding.sentence());
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String counts(Accounting accounting) {
    long refused = accounting.refused().values().stream().mapToLong(Long::longValue).sum();
    StringBuilder text = new StringBuilder();
    text.append(accounting.offers()).append(" offers of ").append(accounting.rows());
    text.append(" rows");
    append(text, accounting.suspects(), "suspect");
    append(text, accounting.repaired(), "repaired");
    append(text, accounting.duplicates(), "merged");
    append(text, accounting.repriced(), "duplicates with a higher price");
    append(text, refused, "refused");
    return text.toString();
  }

  private static void append(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append(", ").append(count).append(' ').append(what);
    }
  }

  /** Prints what is left to print; the exit code says whether all went well. */
  int end(List<Report> reports) {
    if (json) {
      Json.print(Map.of("sources", reports.stream().map(CollectionView::tree).toList()), out);
    }
    return reports.stream().allMatch(Report.Accepted.class::isInstance)
        ? ExitCode.OK
        : ExitCode.REFUSED;
  }

  private static Map<String, @Nullable Object> tree(Report report) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("source", report.source());
    switch (report) {
      case Report.Accepted accepted -> {
        tree.put("result", "accepted");
        tree.put("accounting", Json.tree(accepted.accounting()));
        tree.put("findings", trees(accepted.verdict()));
        tree.put("refused_rows", Json.tree(accepted.refusedRows()));
      }
      case Report.Refused refused -> {
        tree.put("result", "refused");
        tree.put("accounting", Json.tree(refused.accounting()));
        tree.put("findings", trees(refused.verdict()));
      }
      case Report.Failed failed -> {
        tree.put("result", "failed");
        tree.put("error", failed.sentence());
      }
    }
    return tree;
  }

  static List<Map<String, String>> trees(Verdict verdict) {
    return verdict.findings().stream()
        .map(
            finding ->
                Map.of(
                    "rule",
                    word(finding.rule()),
                    "severity",
                    word(finding.severity()),
                    "sentence",
                    finding.sentence()))
        .toList();
  }
}
