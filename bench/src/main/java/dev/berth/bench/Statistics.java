package dev.berth.bench;

import java.util.Arrays;

/** The only two summaries that we print: machines are shared, so means say little. */
final class Statistics {
  private Statistics() {}

  static double median(double... values) {
    double[] sorted = sorted(values);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The smallest value that so many percent of all values do not exceed. */
  static double percentile(int percent, double... values) {
    if (percent < 1 || percent > 100) {
      throw new IllegalArgumentException("expected 1 to 100 percent, found " + percent);
    }
    double[] sorted = sorted(values);
    return sorted[Math.ceilDiv(sorted.length * percent, 100) - 1];
  }

  private static double[] sorted(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("there is nothing to summarise");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted;
  }
}
