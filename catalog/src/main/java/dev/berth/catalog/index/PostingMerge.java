package dev.berth.catalog.index;

/**
 * Walks the rows of several entries in the order of the rows, from the beginning, as far as
 * somebody asks. What it costs depends on the entries and the rows taken, not on all rows.
 */
final class PostingMerge {
  private final Postings postings;
  private final int[] positions;
  private final int[] ends;

  /** A heap of rows, least first, each with the number of its list in the lower half. */
  private final long[] heap;

  private int size;

  PostingMerge(Postings postings, Chosen chosen, Span span) {
    this.postings = postings;
    this.positions = new int[chosen.size()];
    this.ends = new int[chosen.size()];
    this.heap = new long[chosen.size()];
    for (int list = 0; list < chosen.size(); list++) {
      int id = chosen.id(list);
      positions[list] = postings.positionOf(id, span.start());
      ends[list] = postings.end(id);
      if (positions[list] < ends[list]) {
        int row = postings.rows().get(positions[list]);
        if (row < span.end()) {
          heap[size++] = entry(row, list);
        }
      }
    }
    for (int i = size / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  /** The next row, or one past all rows where none is left. */
  int next() {
    if (size == 0) {
      return Integer.MAX_VALUE;
    }
    long least = heap[0];
    int list = (int) least;
    if (++positions[list] < ends[list]) {
      heap[0] = entry(postings.rows().get(positions[list]), list);
    } else {
      heap[0] = heap[--size];
    }
    siftDown(0);
    return (int) (least >>> Integer.SIZE);
  }

  private static long entry(int row, int list) {
    return (long) row << Integer.SIZE | list;
  }

  private void siftDown(int start) {
    int parent = start;
    long moved = heap[parent];
    while (true) {
      int child = 2 * parent + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= moved) {
        break;
      }
      heap[parent] = heap[child];
      parent = child;
    }
    heap[parent] = moved;
  }
}
