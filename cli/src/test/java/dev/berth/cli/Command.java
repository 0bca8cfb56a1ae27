package dev.berth.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One command line, run in this process, and what came of it. */
record Command(int exitCode, String out, String err) {
  static Command run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Berth.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Command(exitCode, out.toString(), err.toString());
  }

  JsonNode json() {
    return JsonMapper.builder().build().readTree(out);
  }
}
