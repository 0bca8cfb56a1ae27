package dev.berth.catalog.index;

/** What a search found: how many rows match, and the first of them in their order. */
final class Found {
  static final Found NOTHING = new Found(0, new int[0], 0);

  private final long total;
  private final int[] rows;
  private final int size;

  /**
   * Keeps the rows, which nobody may change afterwards.
   *
   * @param size how many of them count
   */
  Found(long total, int[] rows, int size) {
    this.total = total;
    this.rows = rows;
    this.size = size;
  }

  long total() {
    return total;
  }

  int size() {
    return size;
  }

  int row(int index) {
    return rows[index];
  }
}
