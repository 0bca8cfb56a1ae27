package dev.berth.cli;

import java.io.PrintWriter;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Writes trees of maps and lists as JSON for programs that read our output. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static final JsonMapper API =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  private Json() {}

  /** The tree of a record of the API, with the names that the API uses. */
  static Object tree(Object value) {
    return API.valueToTree(value);
  }

  static String line(Object tree) {
    return MAPPER.writeValueAsString(tree);
  }

  static void printLine(Object tree, PrintWriter out) {
    out.println(line(tree));
  }

  static void print(Object tree, PrintWriter out) {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    out.println(MAPPER.writer().with(printer).writeValueAsString(tree));
  }
}
