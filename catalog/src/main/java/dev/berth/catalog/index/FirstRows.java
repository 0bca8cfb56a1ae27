package dev.berth.catalog.index;

import java.util.Arrays;

/** Keeps the first rows of those that it is shown, in whatever order they come. */
final class FirstRows {
  private final int limit;
  private int[] heap = new int[16];
  private int size;

  /** Rows from here on are not wanted. */
  private int bound;

  /**
   * Makes an empty one.
   *
   * @param stop a row from which on nobody wants rows, however few there are before
   */
  FirstRows(int limit, int stop) {
    this.limit = limit;
    this.bound = limit == 0 ? 0 : stop;
  }

  /** Rows from this one on are not wanted. It falls while rows are added. */
  int bound() {
    return bound;
  }

  /** Adds a row that is before the bound. */
  void add(int row) {
    if (size < limit) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, (int) Math.min(limit, 2L * size));
      }
      siftUp(size++, row);
    } else {
      siftDown(row);
    }
    if (size == limit) {
      bound = Math.min(bound, heap[0]);
    }
  }

  /** What was kept, beside how many rows there are in all. Nothing may be added afterwards. */
  Found found(long total) {
    Arrays.sort(heap, 0, size);
    return new Found(total, heap, size);
  }

  private void siftUp(int start, int row) {
    int child = start;
    while (child > 0) {
      int parent = (child - 1) >>> 1;
      if (heap[parent] >= row) {
        break;
      }
      heap[child] = heap[parent];
      child = parent;
    }
    heap[child] = row;
  }

  private void siftDown(int row) {
    int parent = 0;
    while (true) {
      int child = 2 * parent + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && heap[child + 1] > heap[child]) {
        child++;
      }
      if (heap[child] <= row) {
        break;
      }
      heap[parent] = heap[child];
      parent = child;
    }
    heap[parent] = row;
  }
}
