package dev.berth.grammar;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Collects the named parts of one JSON Schema document, each once. */
final class SchemaBuilder {
  static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

  private final Map<String, Object> definitions = new LinkedHashMap<>();

  /** A reference to a part with that name, which is made on first use. */
  Map<String, Object> reference(String name, Supplier<Map<String, Object>> schema) {
    if (!definitions.containsKey(name)) {
      definitions.put(name, Map.of());
      definitions.put(name, schema.get());
    }
    return Map.of("$ref", "#/$defs/" + name);
  }

  Map<String, Object> document(String title, Map<String, Object> root) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("$schema", DIALECT);
    document.put("title", title);
    document.putAll(root);
    document.put("$defs", definitions);
    return inStableOrder(document);
  }

  /**
   * The order of {@code Map.of} changes from run to run; the output of a command does not. Maps
   * that were given an order keep it.
   */
  private static Map<String, Object> inStableOrder(Map<?, ?> schema) {
    Map<String, Object> ordered = new LinkedHashMap<>();
    Map<?, ?> keys = schema instanceof LinkedHashMap ? schema : new TreeMap<>(schema);
    keys.forEach((key, value) -> ordered.put(String.valueOf(key), inStableOrder(value)));
    return ordered;
  }

  private static Object inStableOrder(Object value) {
    return switch (value) {
      case Map<?, ?> map -> inStableOrder(map);
      case List<?> list -> list.stream().map(SchemaBuilder::inStableOrder).toList();
      default -> value;
    };
  }

  static Map<String, Object> anyOf(List<Map<String, Object>> alternatives) {
    return Map.of("anyOf", alternatives);
  }

  /** A word by its pattern. Values that YAML takes for numbers or booleans are words here too. */
  static Map<String, Object> text(String pattern) {
    return Map.of("type", "string", "pattern", pattern);
  }
}
