package dev.berth.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Lines up columns for a terminal. */
final class Table {
  private final List<String> heads;
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... heads) {
    this.heads = List.of(heads);
  }

  void row(String... cells) {
    rows.add(List.of(cells));
  }

  void print(PrintWriter out) {
    if (rows.isEmpty()) {
      return;
    }
    int[] widths = new int[heads.size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] =
          Math.max(
              heads.get(i).length(),
              rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    }
    line(heads, widths, out);
    rows.forEach(row -> line(row, widths, out));
  }

  private static void line(List<String> cells, int[] widths, PrintWriter out) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(' ')
          .append(cells.get(i))
          .append(" ".repeat(widths[i] - cells.get(i).length() + 1));
    }
    out.println(line.toString().stripTrailing());
  }
}
