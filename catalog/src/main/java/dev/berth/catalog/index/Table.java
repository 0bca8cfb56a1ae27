package dev.berth.catalog.index;

import dev.berth.model.config.Range;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Offers as columns, one row each, in the order of {@link dev.berth.model.offers.ItemOrder}. Rows
 * refer to the dictionaries of their snapshot.
 *
 * @param reasons why each row is suspect, as numbers of words; null where none is
 */
record Table(
    DoubleBuffer prices,
    IntBuffer shapes,
    IntBuffer places,
    Postings byShape,
    Postings byPlace,
    @Nullable IntBuffer reasons) {
  int rows() {
    return prices.limit();
  }

  /** The rows whose price is in the range. */
  Span within(@Nullable Range<Double> range) {
    if (range == null) {
      return new Span(0, rows());
    }
    // Zero has two signs that order differently but are one price.
    Double min = range.min();
    Double max = range.max();
    int start = min == null ? 0 : firstAtLeast(min == 0 ? -0.0 : min);
    return new Span(start, max == null ? rows() : firstAbove(max == 0 ? 0.0 : max));
  }

  private int firstAtLeast(double price) {
    int low = 0;
    int high = rows();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Double.compare(prices.get(middle), price) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  int firstAbove(double price) {
    int low = 0;
    int high = rows();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Double.compare(prices.get(middle), price) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
