package dev.berth.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A list of like values. */
record ListShape<T>(Shape<T> item, int minItems, int maxItems) implements Shape<List<T>> {
  static <T> ListShape<T> of(Shape<T> item) {
    return new ListShape<>(item, 0, Integer.MAX_VALUE);
  }

  static <T> ListShape<T> of(Shape<T> item, int minItems, int maxItems) {
    return new ListShape<>(item, minItems, maxItems);
  }

  @Override
  public @Nullable List<T> read(Node node, Reading reading) {
    if (!(node instanceof Node.Sequence sequence)) {
      reading.error(
          Rule.EXPECTED_LIST,
          node,
          "expected a list, found " + node.kindName() + "; start each item with '- '");
      return null;
    }
    int count = sequence.items().size();
    if (count < minItems || count > maxItems) {
      reading.error(
          Rule.LIST_LENGTH,
          node,
          count < minItems
              ? "expected at least " + minItems + " item(s), found " + count
              : "expected at most " + maxItems + " item(s), found " + count);
      return null;
    }
    List<T> values = new ArrayList<>();
    int index = 0;
    for (Node child : sequence.items()) {
      Reading at = reading.item(index++);
      if (child.isAbsent()) {
        at.error(Rule.VALUE_MISSING, child, "this item has no value; write one or remove the '-'");
        continue;
      }
      T value = item.read(child, at);
      if (value != null) {
        values.add(value);
      }
    }
    return values.size() == count ? List.copyOf(values) : null;
  }

  @Override
  public List<? extends Shape<?>> parts() {
    return List.of(item);
  }

  @Override
  public Object write(List<T> values) {
    List<@Nullable Object> written = new ArrayList<>();
    values.forEach(value -> written.add(item.write(value)));
    return written;
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    Map<String, Object> schema = new java.util.LinkedHashMap<>();
    schema.put("type", "array");
    schema.put("items", item.schema(schemas));
    if (minItems > 0) {
      schema.put("minItems", minItems);
    }
    if (maxItems != Integer.MAX_VALUE) {
      schema.put("maxItems", maxItems);
    }
    return schema;
  }
}
