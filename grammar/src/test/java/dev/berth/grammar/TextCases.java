package dev.berth.grammar;

import dev.berth.grammar.Case.Column;
import dev.berth.grammar.Case.Expected;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Files that break a rule of the text and are too large or too odd to be written down. */
final class TextCases {
  private static final String TASK = "type: task\ncommands: [echo]\n";

  private TextCases() {}

  static List<RuleCases.Pair> all() {
    return List.of(
        pair(Rule.TOO_LARGE, 1, 1, sized(YamlReader.MAX_BYTES), sized(YamlReader.MAX_BYTES + 1)),
        pair(
            Rule.NOT_UTF8,
            2,
            12,
            (TASK + "image: café\n").getBytes(StandardCharsets.UTF_8),
            "type: task\ncommands: [café]\n"
                .replace("caf", "")
                .getBytes(StandardCharsets.ISO_8859_1)),
        pair(Rule.NOT_UTF8, 1, 1, bytes("\uFEFF" + TASK), TASK.getBytes(StandardCharsets.UTF_16)),
        pair(Rule.TOO_DEEP, 3, 85, bytes(nested(62)), bytes(nested(63))),
        pair(Rule.TOO_DEEP, 5, 28, bytes(nestedByAliases(53)), bytes(nestedByAliases(54))),
        pair(Rule.TOO_MANY_NODES, 10, 22, bytes(laughs(4)), bytes(laughs(9))),
        pair(Rule.TOO_MANY_NODES, 3, 4_012, bytes(aliases(1_000)), bytes(aliases(1_001))),
        pair(
            Rule.TOO_MANY_NODES,
            2,
            1_000_002,
            bytes("type: task\ncommands: [" + "a,".repeat(400_000) + "a]\n"),
            bytes("type: task\ncommands: [" + "a,".repeat(500_000) + "a]\n")),
        new RuleCases.Pair(
            Rule.NODES_CHARACTERS,
            Case.good("just as many characters", bytes(manyNodes(1_000))),
            Case.bad(
                "too many characters",
                bytes(manyNodes(1_001)),
                new Expected(Rule.NODES_CHARACTERS, "nodes", new Position(2, 1), Column.EXACT))),
        pair(Rule.TOO_MANY_ERRORS, 1_004, 5, bytes(wrongPorts(0)), bytes(wrongPorts(1_001))));
  }

  private static RuleCases.Pair pair(Rule rule, int line, int column, byte[] good, byte[] bad) {
    Expected expected = new Expected(rule, "", new Position(line, column), Column.EXACT);
    return new RuleCases.Pair(
        rule, Case.good("not yet " + rule, good), Case.bad(rule.name(), bad, expected));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] sized(int size) {
    return bytes(TASK + "#".repeat(size - TASK.length()));
  }

  private static String nested(int depth) {
    return TASK
        + "backend_options: [{a: "
        + "[".repeat(depth)
        + "]".repeat(depth)
        + ", type: sim}]\n";
  }

  /** Each part is shallow; together they are not. */
  private static String nestedByAliases(int depth) {
    return TASK
        + "backend_options:\n"
        + ("  - {type: a, x: &a " + "[".repeat(depth) + "]".repeat(depth) + "}\n")
        + "  - {type: b, x: [[[[[[[[[ *a ]]]]]]]]]}\n";
  }

  /** Ten times ten times ten: small to write, endless to unfold. */
  private static String laughs(int rounds) {
    StringBuilder text = new StringBuilder(TASK);
    text.append("backend_options:\n- {type: a0, x: &a0 [ha]}\n");
    for (int round = 1; round <= rounds; round++) {
      text.append("- {type: a").append(round).append(", x: &a").append(round).append(" [");
      text.append(("*a" + (round - 1) + ",").repeat(10)).append("]}\n");
    }
    return text.toString();
  }

  private static String wrongPorts(int count) {
    return TASK + "ports:\n" + "  - http\n".repeat(count) + "  - 80\n";
  }

  /** A thousand nodes with commands and variables of their own; the limit is 16,777 for each. */
  private static String manyNodes(int ofVariable) {
    return "type: task\nnodes: 1000\nenv: [V="
        + "v".repeat(ofVariable)
        + "]\ncommands: ["
        + "c".repeat(15_776)
        + "]\n";
  }

  private static String aliases(int count) {
    return "type: task\nimage: &i ubuntu\ncommands: [" + "*i ,".repeat(count) + "]\n";
  }
}
