package dev.berth.catalog.index;

import dev.berth.model.config.Range;
import org.jspecify.annotations.Nullable;

/** A closed range of numbers, both ends known. */
record Bounds(long min, long max) {
  private static final Bounds ANY = new Bounds(Long.MIN_VALUE, Long.MAX_VALUE);

  static <T extends Number & Comparable<T>> Bounds of(@Nullable Range<T> range) {
    if (range == null) {
      return ANY;
    }
    T min = range.min();
    T max = range.max();
    return new Bounds(
        min == null ? Long.MIN_VALUE : min.longValue(),
        max == null ? Long.MAX_VALUE : max.longValue());
  }

  boolean contains(long value) {
    return value >= min && value <= max;
  }
}
