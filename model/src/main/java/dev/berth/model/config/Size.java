package dev.berth.model.config;

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

  @Override
  public int compareTo(Size other) {
    return Long.compare(mib, other.mib);
  }
}
