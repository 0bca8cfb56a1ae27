package dev.berth.grammar;

import dev.berth.grammar.Case.Column;
import dev.berth.grammar.Case.Expected;
import java.util.ArrayList;
import java.util.List;

/** The pairs of {@code rule-cases.txt}: a file that breaks a rule, and one that just does not. */
final class RuleCases {
  /** Two files that differ in one thing. */
  record Pair(Rule rule, Case good, Case bad) {}

  private RuleCases() {}

  static List<Pair> all() {
    List<Pair> pairs = new ArrayList<>(TextCases.all());
    String text = FieldTable.resource("rule-cases.txt");
    for (String block : text.substring(text.indexOf("\n>>> ") + 1).split("(?m)^>>> ", -1)) {
      if (!block.isBlank()) {
        pairs.add(pair(block));
      }
    }
    return List.copyOf(pairs);
  }

  private static Pair pair(String block) {
    int end = block.indexOf('\n');
    String[] header = block.substring(0, end).split(" ", -1);
    String[] files = block.substring(end + 1).split("(?m)^<<<\n", 2);
    String[] place = header[1].split(":", 2);
    Position position = new Position(Integer.parseInt(place[0]), Integer.parseInt(place[1]));
    Rule rule = Rule.valueOf(header[0]);
    Expected expected =
        new Expected(
            rule, header.length > 3, header.length > 2 ? header[2] : "", position, Column.EXACT);
    String label = rule + " at " + header[1] + " of\n" + files[0];
    return new Pair(
        rule, Case.good("next to " + label, files[1]), Case.bad(label, files[0], expected));
  }
}
