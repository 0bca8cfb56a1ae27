package dev.berth.grammar;

import dev.berth.model.config.BackendOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Options for backends, at most one set for each type; that type's own schema judges them. */
final class BackendOptionsShape implements Shape<List<BackendOptions>> {
  private static final Shape<List<Map<String, Object>>> TREES = ListShape.of(Maps.TREE);

  @Override
  public @Nullable List<BackendOptions> read(Node node, Reading reading) {
    List<Map<String, Object>> trees = TREES.read(node, reading);
    if (trees == null || !(node instanceof Node.Sequence sequence)) {
      return null;
    }
    int errorsBefore = reading.errorCount();
    Map<String, BackendOptions> byType = new LinkedHashMap<>();
    for (int i = 0; i < trees.size(); i++) {
      Map<String, Object> options = new LinkedHashMap<>(trees.get(i));
      Object type = options.remove("type");
      if (!(type instanceof String name)) {
        reading
            .item(i)
            .field("type")
            .error(
                Rule.FIELD_REQUIRED,
                sequence.items().get(i),
                "the field 'type' is required: the type of the backend");
      } else if (byType.putIfAbsent(name, new BackendOptions(name, options)) != null) {
        reading
            .item(i)
            .error(
                Rule.BACKEND_OPTIONS_TWICE,
                sequence.items().get(i),
                "options for '" + Text.abbreviate(name) + "' are given twice; join them");
      }
    }
    return reading.errorCount() == errorsBefore ? List.copyOf(byType.values()) : null;
  }

  @Override
  public Object write(List<BackendOptions> value) {
    return value.stream().map(BackendOptionsShape::tree).toList();
  }

  private static Map<String, Object> tree(BackendOptions options) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("type", options.type());
    tree.putAll(options.options());
    return tree;
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    return Map.of(
        "type",
        "array",
        "items",
        Map.of(
            "type",
            "object",
            "required",
            List.of("type"),
            "properties",
            Map.of("type", Map.of("type", "string"))));
  }
}
