package dev.berth.catalog.index;

import java.nio.IntBuffer;

/**
 * For each entry of a dictionary, the rows that have it, in the order of the rows.
 *
 * @param starts where the rows of each entry begin, and one more: the end of the last
 * @param others what those rows have of the other dictionary: to look there row by row would be to
 *     jump about in memory
 */
record Postings(IntBuffer starts, IntBuffer rows, IntBuffer others) {
  int start(int id) {
    return starts.get(id);
  }

  int end(int id) {
    return starts.get(id + 1);
  }

  /** How many rows the chosen entries have in all. */
  long rowsOf(Chosen chosen) {
    long sum = 0;
    for (int i = 0; i < chosen.size(); i++) {
      int id = chosen.id(i);
      sum += end(id) - start(id);
    }
    return sum;
  }

  /** How many rows of the chosen entries lie in a span of rows. */
  long rowsOf(Chosen chosen, Span span) {
    long sum = 0;
    for (int i = 0; i < chosen.size(); i++) {
      int id = chosen.id(i);
      sum += positionOf(id, span.end()) - positionOf(id, span.start());
    }
    return sum;
  }

  /** Where, among the rows of an entry, the first one stands that is not before the given one. */
  int positionOf(int id, int row) {
    int low = start(id);
    int high = end(id);
    if (row == 0) {
      return low;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rows.get(middle) < row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
