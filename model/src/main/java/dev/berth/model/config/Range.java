package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** A closed range of values; an absent bound is open. */
public record Range<T extends Comparable<T>>(@Nullable T min, @Nullable T max) {
  public Range {
    if (min == null && max == null) {
      throw new IllegalArgumentException("a range needs at least one bound");
    }
    if (min != null && max != null && min.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "the lower bound " + min + " is above the upper bound " + max);
    }
  }

  public static <T extends Comparable<T>> Range<T> exactly(T value) {
    return new Range<>(value, value);
  }

  public static <T extends Comparable<T>> Range<T> atLeast(T min) {
    return new Range<>(min, null);
  }

  public boolean contains(T value) {
    return (min == null || value.compareTo(min) >= 0) && (max == null || value.compareTo(max) <= 0);
  }

  public boolean isSingleValue() {
    return min != null && min.equals(max);
  }
}
