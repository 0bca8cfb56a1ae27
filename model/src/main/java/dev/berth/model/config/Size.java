package dev.berth.model.config;

import org.jspecify.annotations.Nullable;

/** An amount of memory or disk in mebibytes. */
public record Size(long mib) implements Comparable<Size> {
  public Size {
    if (mib < 0) {
      throw new IllegalArgumentException("a size is not negative: " + mib);
    }
  }

  public static Size gib(long gib) {
    return new Size(Math.multiplyExact(gib, 1024L));
  }

  /** Bounds in mebibytes; null where there are none. */
  public static @Nullable Range<Long> mib(@Nullable Range<Size> sizes) {
    if (sizes == null) {
      return null;
    }
    Size min = sizes.min();
    Size max = sizes.max();
    return new Range<>(min == null ? null : min.mib(), max == null ? null : max.mib());
  }

  @Override
  public int compareTo(Size other) {
    return Long.compare(mib, other.mib);
  }
}
