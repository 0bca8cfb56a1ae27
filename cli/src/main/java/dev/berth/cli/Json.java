package dev.berth.cli;

import java.io.PrintWriter;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.json.JsonMapper;

/** Writes trees of maps and lists as JSON for programs that read our output. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  static void print(Object tree, PrintWriter out) {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    out.println(MAPPER.writer().with(printer).writeValueAsString(tree));
  }
}
