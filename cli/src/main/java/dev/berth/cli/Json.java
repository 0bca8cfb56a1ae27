package dev.berth.cli;

import java.io.PrintWriter;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Writes trees of maps and lists as JSON for programs that read our output. */
final class Json {
  private Json() {}

  /** The tree of a record of the API, with the names that the API uses. */
  static Object tree(Object value) {
    return Mappers.API.valueToTree(value);
  }

  static String line(Object tree) {
    return Mappers.PLAIN.writeValueAsString(tree);
  }

  static void printLine(Object tree, PrintWriter out) {
    out.println(line(tree));
  }

  static void print(Object tree, PrintWriter out) {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    if (PlainTree.holds(tree)) {
      out.println(PlainTree.write(tree, printer));
    } else {
      out.println(Mappers.PLAIN.writer().with(printer).writeValueAsString(tree));
    }
  }

  /** Made when they are needed: that takes longer than most commands. */
  private static final class Mappers {
    static final JsonMapper PLAIN = JsonMapper.builder().build();

    static final JsonMapper API =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
  }
}
