package dev.berth.catalog.gate;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Collection;

/** Numbers as sentences show them, and the middle one of many. */
final class Figures {
  private Figures() {}

  /** Four digits, which is enough to see what is wrong. */
  static String shortly(double number) {
    return new BigDecimal(number).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }

  static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  static String percent(double ratio) {
    double change = (ratio - 1) * 100;
    return (change < 0 ? "fell " : "rose ") + shortly(Math.abs(change)) + " %";
  }

  static double median(Collection<Double> numbers) {
    double[] sorted = numbers.stream().mapToDouble(Double::doubleValue).toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("nothing has no median");
    }
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
