package dev.berth.server;

import dev.berth.model.Project;
import dev.berth.model.StoredSecret;
import dev.berth.model.User;
import dev.berth.server.plugins.Plugins;
import java.util.List;
import java.util.Map;

/**
 * A part of the path, the query or the head of a request, as the OpenAPI document has it.
 *
 * @param in path, query or header
 * @param schema what it may be, as JSON Schema
 */
record Parameter(String name, String in, boolean required, Map<String, Object> schema) {
  private static final Map<String, Object> TEXT = Map.of("type", "string", "minLength", 1);

  Parameter {
    schema = Map.copyOf(schema);
  }

  static Parameter flag(String name) {
    return query(name, Map.of("type", "string", "enum", Call.FLAGS));
  }

  static Parameter number(String name, long min, long max) {
    return query(name, Map.of("type", "integer", "minimum", min, "maximum", max));
  }

  static Parameter text(String name) {
    return query(name, Map.of("type", "string"));
  }

  private static Parameter query(String name, Map<String, Object> schema) {
    return new Parameter(name, "query", false, schema);
  }

  /** One that may stand in the query several times, and must once. */
  static Parameter texts(String name) {
    return new Parameter(
        name, "query", true, Map.of("type", "array", "items", TEXT, "minItems", 1));
  }

  static Parameter header(String name, Map<String, Object> schema) {
    return new Parameter(name, "header", false, schema);
  }

  /** A part of the path, by its name. */
  static Parameter ofPath(String name) {
    return new Parameter(
        name,
        "path",
        true,
        switch (name) {
          case "project" -> matching(Project.NAME.pattern());
          case "user" -> matching(User.NAME.pattern());
          case "secret" -> matching(StoredSecret.NAME.pattern());
          case "backend" -> matching(Plugins.NAME);
          case "chunk" -> matching("[0-9a-f]{64}");
          case "port" -> Map.of("type", "integer", "minimum", 1, "maximum", 65535);
          case "stream" -> Map.of("type", "string", "enum", List.of("stdout", "stderr"));
          default -> matching("[A-Za-z0-9._-]{1,100}");
        });
  }

  /** Text of which a pattern matches all. */
  static Map<String, Object> matching(String pattern) {
    return Map.of("type", "string", "pattern", "^(?:" + pattern + ")$");
  }

  Map<String, Object> described() {
    return Map.of("name", name, "in", in, "required", required, "schema", schema);
  }
}
