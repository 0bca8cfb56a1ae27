package dev.berth.grammar;

import dev.berth.grammar.Reading.Dialect;
import org.jspecify.annotations.Nullable;

/** What a shape makes of one text, as users write it. */
record ReadOne<T>(@Nullable T value, int errors) {
  static <T> ReadOne<T> of(Shape<T> shape, String text) {
    return of(shape, new Node.Scalar(Position.START, text, true));
  }

  static <T> ReadOne<T> of(Shape<T> shape, Node node) {
    Reading reading = new Reading(Dialect.USER, false);
    T value = shape.read(node, reading);
    return new ReadOne<>(value, reading.errorCount());
  }
}
