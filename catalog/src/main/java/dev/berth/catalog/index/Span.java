package dev.berth.catalog.index;

/**
 * Rows that follow each other.
 *
 * @param end the first row that does not belong to it
 */
record Span(int start, int end) {
  int length() {
    return Math.max(0, end - start);
  }
}
