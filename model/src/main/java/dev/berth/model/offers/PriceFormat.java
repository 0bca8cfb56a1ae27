package dev.berth.model.offers;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** How prices are written for people, so that the same offer has the same price everywhere. */
public final class PriceFormat {
  private static final BigDecimal LEAST = new BigDecimal("0.0001");

  private PriceFormat() {}

  /** Such as {@code $2.20/h}, or {@code free}. */
  public static String perHour(double price) {
    return price == 0 ? "free" : dollars(price) + "/h";
  }

  /** Two digits of cents; below a dollar up to four, where they matter. */
  public static String dollars(double price) {
    BigDecimal exact = BigDecimal.valueOf(price);
    if (exact.signum() > 0 && exact.compareTo(LEAST) < 0) {
      return "<$" + LEAST.toPlainString();
    }
    BigDecimal cents = exact.setScale(2, RoundingMode.HALF_UP);
    BigDecimal finer = exact.setScale(4, RoundingMode.HALF_UP);
    boolean small = exact.compareTo(BigDecimal.ONE) < 0 && finer.compareTo(cents) != 0;
    return "$" + (small ? finer.stripTrailingZeros() : cents).toPlainString();
  }
}
