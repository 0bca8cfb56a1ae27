package dev.berth.grammar;

import java.util.List;
import java.util.SequencedMap;

/** A file with a value at one field, and the places of that field in it. */
final class FieldDocument {
  private final FieldTable table;
  private final StringBuilder text = new StringBuilder();
  private int lines;
  private Position record = Position.START;
  private Position key = Position.START;
  private Position value = Position.START;

  private FieldDocument(FieldTable table) {
    this.table = table;
  }

  /** With the lines that go with the field. */
  static FieldDocument with(String value, FieldPath path, FieldTable table) {
    FieldDocument document = new FieldDocument(table);
    document.write(path.steps(), 0, value, true, "");
    return document;
  }

  /** With only the lines that stand in every such record. */
  static FieldDocument alone(String value, FieldPath path, FieldTable table) {
    FieldDocument document = new FieldDocument(table);
    document.write(path.steps(), 0, value, false, "");
    return document;
  }

  private void write(
      List<FieldPath.Step> steps, int depth, String leaf, boolean company, String firstIndent) {
    FieldPath.Step step = steps.get(depth);
    boolean last = depth == steps.size() - 1;
    SequencedMap<String, String> around = last && !company ? table.base(step) : table.around(step);
    around.remove(step.field().name);
    String indent = " ".repeat(firstIndent.length());
    String next = firstIndent;
    record = new Position(lines + 1, firstIndent.length() + 1);
    for (var entry : around.entrySet()) {
      line(next + entry.getKey() + ": " + entry.getValue());
      next = indent;
    }
    if (last) {
      key = new Position(lines + 1, indent.length() + 1);
      value = new Position(lines + 1, indent.length() + step.field().name.length() + 3);
      line(next + step.field().name + ": " + leaf);
    } else {
      line(next + step.field().name + ":");
      write(steps, depth + 1, leaf, company, indent + (step.inList() ? "  - " : "  "));
    }
  }

  private void line(String line) {
    text.append(line).append('\n');
    lines++;
  }

  String text() {
    return text.toString();
  }

  /** Where the record that holds the field starts. */
  Position record() {
    return record;
  }

  Position key() {
    return key;
  }

  Position value() {
    return value;
  }
}
