package dev.berth.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lines up columns. Where they are wider than the terminal, columns of text are wrapped first, then
 * columns are left out, then words are cut; a column without a heading at the end is a note, which
 * goes below its row where there is no room beside it.
 */
final class Table {
  /** What a wrapped column keeps at least. */
  private static final int LEAST_TEXT = 18;

  /** What a column that is cut keeps at least. */
  private static final int LEAST_WORD = 8;

  private static final String NOTE_INDENT = "   ";

  private final List<String> heads;
  private final List<List<String>> rows = new ArrayList<>();
  private List<String> wrapped = List.of();
  private List<String> optional = List.of();
  private List<String> cut = List.of();
  private @Nullable Table before;

  Table(String... heads) {
    this.heads = List.of(heads);
  }

  /** Columns of text that may be continued in the next line. */
  Table wrap(String... columns) {
    wrapped = List.of(columns);
    return this;
  }

  /** Columns that may be left out, in this order. */
  Table drop(String... columns) {
    optional = List.of(columns);
    return this;
  }

  /** Columns whose words may be cut. */
  Table cut(String... columns) {
    cut = List.of(columns);
    return this;
  }

  /** Goes on with the columns of a table that was printed before, without headings. */
  Table after(Table printed) {
    before = printed;
    return this;
  }

  void row(String... cells) {
    // A cell is one line, and nobody's text moves the cursor.
    rows.add(Stream.of(cells).map(cell -> cell.replaceAll("\\p{Cntrl}+", " ").strip()).toList());
  }

  void print(PrintWriter out) {
    print(out, natural() <= TerminalWidth.USUAL ? Integer.MAX_VALUE : TerminalWidth.find());
  }

  /** Prints lines of at most so many characters, as far as that is possible. */
  void print(PrintWriter out, int width) {
    if (rows.isEmpty()) {
      return;
    }
    Layout layout = fit(width);
    if (before == null) {
      layout.line(heads, out);
    }
    rows.forEach(row -> layout.line(row, out));
  }

  private int natural() {
    return total(widths(Set.of()));
  }

  private boolean hasNote() {
    return heads.getLast().isEmpty();
  }

  /** The width of every column; 0 of those that are left out. */
  private int[] widths(Set<String> dropped) {
    int[] widths = longest();
    for (int i = 0; i < widths.length; i++) {
      widths[i] = dropped.contains(heads.get(i)) ? 0 : Math.max(heads.get(i).length(), widths[i]);
    }
    return widths;
  }

  /** The length of the longest cell of every column. */
  private int[] longest() {
    int[] longest = before == null ? new int[heads.size()] : before.longest();
    rows.forEach(
        row ->
            Arrays.setAll(longest, column -> Math.max(longest[column], row.get(column).length())));
    return longest;
  }

  private static int longestWord(String head) {
    return Stream.of(head.split(" ", -1)).mapToInt(String::length).max().orElse(0);
  }

  /** One space before each column and one after all but the last. */
  private static int total(int[] widths) {
    return Arrays.stream(widths).filter(width -> width > 0).map(width -> width + 2).sum() - 1;
  }

  private Layout fit(int width) {
    int[] widths = widths(Set.of());
    if (total(widths) <= width) {
      return new Layout(widths, false, width);
    }
    int[] columns = widths.clone();
    int note = hasNote() ? columns[columns.length - 1] : 0;
    if (hasNote()) {
      columns[columns.length - 1] = 0;
    }
    Set<String> dropped = new HashSet<>();
    shrink(columns, wrapped, LEAST_TEXT, width);
    for (String head : optional) {
      if (total(columns) <= width) {
        break;
      }
      dropped.add(head);
      columns = widths(dropped);
      if (hasNote()) {
        columns[columns.length - 1] = 0;
      }
      shrink(columns, wrapped, LEAST_TEXT, width);
    }
    shrink(columns, cut, LEAST_WORD, width);
    int room = width - total(columns) - 2;
    boolean beside = note > 0 && room >= Math.min(note, LEAST_TEXT);
    if (beside) {
      columns[columns.length - 1] = Math.min(note, room);
    }
    return new Layout(columns, note > 0 && !beside, width);
  }

  /**
   * Makes the widest of some columns narrower, one by one, until all fit or none can give more;
   * first those that are wide only for their heading.
   */
  private void shrink(int[] columns, List<String> which, int least, int width) {
    int[] longest = longest();
    while (total(columns) > width) {
      int widest = -1;
      for (int i = 0; i < columns.length; i++) {
        if (which.contains(heads.get(i))
            && columns[i] > Math.max(Math.min(least, longest[i]), longestWord(heads.get(i)))) {
          boolean heading = columns[i] > longest[i];
          boolean before = widest >= 0 && columns[widest] > longest[widest];
          if (widest < 0 || (heading == before ? columns[i] > columns[widest] : heading)) {
            widest = i;
          }
        }
      }
      if (widest < 0) {
        return;
      }
      columns[widest]--;
    }
  }

  /** How wide each column is, and whether notes stand below their rows. */
  private final class Layout {
    private final int[] widths;
    private final boolean noteBelow;
    private final int screen;

    Layout(int[] widths, boolean noteBelow, int screen) {
      this.widths = widths;
      this.noteBelow = noteBelow;
      this.screen = screen;
    }

    void line(List<String> cells, PrintWriter out) {
      List<List<String>> columns = new ArrayList<>();
      for (int i = 0; i < widths.length; i++) {
        columns.add(lines(i, cells.get(i)));
      }
      int height = columns.stream().mapToInt(List::size).max().orElse(1);
      for (int row = 0; row < height; row++) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
          if (widths[i] > 0) {
            String text = row < columns.get(i).size() ? columns.get(i).get(row) : "";
            line.append(' ').append(text).append(" ".repeat(widths[i] - text.length() + 1));
          }
        }
        out.println(line.toString().stripTrailing());
      }
      if (noteBelow && !cells.getLast().isEmpty()) {
        Lines.wrap(cells.getLast(), screen - NOTE_INDENT.length())
            .forEach(text -> out.println(NOTE_INDENT + text));
      }
    }

    private List<String> lines(int column, String cell) {
      int width = widths[column];
      if (width == 0 || cell.length() <= width) {
        return List.of(width == 0 ? "" : cell);
      }
      return cut.contains(heads.get(column))
          ? List.of(cell.substring(0, width - 1) + "…")
          : Lines.wrap(cell, width);
    }
  }
}
