package dev.berth.grammar;

import java.util.List;
import java.util.Map;

/** What JSON Schema can say about fields that depend on each other. */
final class SchemaRules {
  /** A duration that is neither off nor the default, as far as JSON Schema can tell. */
  static final Map<String, Object> A_TIME =
      Map.of(
          "anyOf",
          List.of(
              Map.of("type", "number", "minimum", 0),
              Map.of("type", "string", "pattern", "^\\s*[0-9]")));

  private SchemaRules() {}

  static Map<String, Object> set(String field) {
    return has(field, Map.of("not", Map.of("type", "null")));
  }

  static Map<String, Object> filled(String field) {
    return has(field, Map.of("minItems", 1));
  }

  static Map<String, Object> is(String field, Object value) {
    return has(field, Map.of("const", value));
  }

  /** The field is written and its value is like this. */
  static Map<String, Object> has(String field, Map<String, Object> value) {
    return Map.of("required", List.of(field), "properties", Map.of(field, value));
  }

  /** If the field is written, its value is like this. */
  static Map<String, Object> property(String field, Map<String, Object> value) {
    return Map.of("properties", Map.of(field, value));
  }

  static Map<String, Object> ifNot(Map<String, Object> condition, Map<String, Object> then) {
    return Map.of("anyOf", List.of(condition, then));
  }

  static Map<String, Object> excludes(String one, String other) {
    return excludes(set(one), set(other));
  }

  static Map<String, Object> excludes(Map<String, Object> one, Map<String, Object> other) {
    return Map.of("not", Map.of("allOf", List.of(one, other)));
  }

  static Map<String, Object> excludesTrue(String flag, String other) {
    return excludes(is(flag, true), set(other));
  }
}
