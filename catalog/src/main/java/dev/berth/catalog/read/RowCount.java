package dev.berth.catalog.read;

/**
 * What became of the rows of a file, each counted once. A row that is used may stand behind several
 * offers (its two prices; a machine and each accelerator that fits it), and an offer may have two
 * rows behind it.
 */
public record RowCount(long rows, long used, long refused) {
  public RowCount {
    if (rows != used + refused) {
      throw new IllegalArgumentException(
          rows + " rows are not " + used + " used and " + refused + " refused");
    }
  }
}
