package dev.berth.catalog;

import java.util.Map;

/**
 * What became of each row of a source: every row is an offer, suspect, merged or refused.
 *
 * @param rows all that the source had
 * @param repaired offers or suspects that were corrected
 * @param duplicates rows equal to another one in everything
 * @param repriced rows equal to a cheaper one in everything but the price
 * @param refused how many rows were no offers, by reason
 */
public record Accounting(
    long rows,
    long offers,
    long suspects,
    long repaired,
    long duplicates,
    long repriced,
    Map<String, Long> refused) {
  public Accounting {
    refused = Map.copyOf(refused);
    long sum =
        offers
            + suspects
            + duplicates
            + repriced
            + refused.values().stream().mapToLong(Long::longValue).sum();
    if (sum != rows) {
      throw new IllegalArgumentException(rows + " rows do not add up to " + sum);
    }
  }
}
