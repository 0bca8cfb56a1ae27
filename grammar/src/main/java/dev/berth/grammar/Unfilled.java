package dev.berth.grammar;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value that later parts still add to, so its own defaults stay open. */
record Unfilled<T>(Shape<T> shape) implements Shape<T> {
  @Override
  public @Nullable T read(Node node, Reading reading) {
    return shape.read(node, reading.withoutDefaults());
  }

  @Override
  public List<? extends Shape<?>> parts() {
    return List.of(shape);
  }

  @Override
  public @Nullable Object write(T value) {
    return shape.write(value);
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    return shape.schema(schemas);
  }
}
