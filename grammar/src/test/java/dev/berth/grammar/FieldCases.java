package dev.berth.grammar;

import dev.berth.grammar.Case.Column;
import dev.berth.grammar.Case.Expected;
import java.util.ArrayList;
import java.util.List;

/** The cases of {@code field-cases.txt} at every place where their field may stand. */
final class FieldCases {
  private static final String NULL = "null";
  private final FieldTable table = FieldTable.load();

  FieldTable table() {
    return table;
  }

  List<Case> all() {
    return FieldPath.all().stream().flatMap(path -> of(path).stream()).toList();
  }

  List<Case> of(FieldPath path) {
    List<Case> cases = new ArrayList<>();
    for (FieldTable.Row row : table.values(path.last())) {
      FieldDocument document = FieldDocument.with(row.value(), path, table);
      String label = path + " = " + row.value();
      cases.add(
          row.isGood()
              ? Case.good(label, document.text())
              : Case.bad(label, document.text(), expected(row.verdict(), path, document)));
    }
    nullCase(path, cases);
    return cases;
  }

  /** Null is a value exactly where the definition says so. */
  private void nullCase(FieldPath path, List<Case> cases) {
    FieldDocument document = FieldDocument.alone(NULL, path, table);
    String label = path + " = null";
    if (!path.last().field().isNullable()) {
      Expected missing =
          new Expected(Rule.VALUE_MISSING, path.inMessages(), document.value(), Column.EXACT);
      cases.add(Case.bad(label, document.text(), missing));
    } else if (!table.base(path.last()).containsKey(path.last().field().name)) {
      cases.add(Case.good(label, document.text()));
    }
  }

  private static Expected expected(String verdict, FieldPath path, FieldDocument document) {
    int at = verdict.indexOf('@');
    Rule rule = Rule.valueOf(at < 0 ? verdict : verdict.substring(0, at));
    String place = at < 0 ? "" : verdict.substring(at + 1);
    return switch (place) {
      case "" -> new Expected(rule, path.inMessages(), document.value(), Column.EXACT);
      case "key" -> new Expected(rule, path.inMessages(), document.key(), Column.EXACT);
      case "parent" -> new Expected(rule, path.parentInMessages(), document.record(), Column.EXACT);
      default -> new Expected(rule, path.inMessages() + place, document.value(), Column.OR_BEHIND);
    };
  }
}
