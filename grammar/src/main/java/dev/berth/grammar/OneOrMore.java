package dev.berth.grammar;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One value or a list of them; at least one. */
record OneOrMore<T>(Shape<T> item) implements Shape<List<T>> {
  private ListShape<T> list() {
    return ListShape.of(item, 1, Integer.MAX_VALUE);
  }

  @Override
  public @Nullable List<T> read(Node node, Reading reading) {
    if (node instanceof Node.Sequence) {
      return list().read(node, reading);
    }
    T value = item.read(node, reading);
    return value == null ? null : List.of(value);
  }

  @Override
  public List<? extends Shape<?>> parts() {
    return List.of(list());
  }

  @Override
  public @Nullable Object write(List<T> value) {
    return list().write(value);
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    return SchemaBuilder.anyOf(List.of(item.schema(schemas), list().schema(schemas)));
  }
}
