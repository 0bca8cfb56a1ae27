package dev.berth.catalog.index;

import java.nio.IntBuffer;
import java.util.function.IntConsumer;

/**
 * Counts the rows of a table that have a chosen shape and a chosen place within a span, and finds
 * the first of them.
 *
 * <p>Three ways lead there: looking at each row of the span, at the rows of the chosen shapes, or
 * at those of the chosen places. Where only one of the two is asked for, its postings answer
 * without a look at any row. The costs below are rough; a wrong choice costs time, never an answer.
 * Loops that only count have no branch, because nobody could predict it.
 */
final class Search {
  /** What a step of a binary search or of a heap costs, where a step to the next row costs 1. */
  private static final long STEP = 3;

  private final Table table;
  private final Chosen shapes;
  private final Chosen places;
  private final Span span;
  private final int limit;

  /** Rows from here on are counted, but not wanted. */
  private final int stop;

  Search(Table table, Chosen shapes, Chosen places, Span span, int limit, int stop) {
    this.table = table;
    this.shapes = shapes;
    this.places = places;
    this.span = span;
    this.limit = limit;
    this.stop = Math.min(stop, span.end());
  }

  Found run() {
    if (span.length() == 0 || shapes.isEmpty() || places.isEmpty()) {
      return Found.NOTHING;
    }
    if (places.isEverything()) {
      return shapes.isEverything()
          ? everything()
          : oneSided(table.byShape(), table.shapes(), shapes);
    }
    return shapes.isEverything() ? oneSided(table.byPlace(), table.places(), places) : twoSided();
  }

  /** Shows every row that matches, in no particular order. */
  void forEach(IntConsumer visitor) {
    long byShape = shapes.size() + table.byShape().rowsOf(shapes);
    long byPlace = places.size() + table.byPlace().rowsOf(places);
    if (Math.min(byShape, byPlace) > span.length()) {
      for (int row = span.start(); row < span.end(); row++) {
        if ((shapes.mask[table.shapes().get(row)] & places.mask[table.places().get(row)]) != 0) {
          visitor.accept(row);
        }
      }
    } else if (byShape < byPlace) {
      forEach(table.byShape(), shapes, places.mask, visitor);
    } else {
      forEach(table.byPlace(), places, shapes.mask, visitor);
    }
  }

  private void forEach(Postings postings, Chosen chosen, byte[] mask, IntConsumer visitor) {
    for (int list = 0; list < chosen.size(); list++) {
      int id = chosen.id(list);
      int end = postings.positionOf(id, span.end());
      for (int i = postings.positionOf(id, span.start()); i < end; i++) {
        if (mask[postings.others().get(i)] != 0) {
          visitor.accept(postings.rows().get(i));
        }
      }
    }
  }

  private Found everything() {
    int size = Math.clamp((long) stop - span.start(), 0, limit);
    int[] rows = new int[size];
    for (int i = 0; i < size; i++) {
      rows[i] = span.start() + i;
    }
    return new Found(span.length(), rows, size);
  }

  private Found oneSided(Postings postings, IntBuffer column, Chosen chosen) {
    boolean whole = span.length() == table.rows();
    long perEntry = STEP * (2 + log2(table.rows() / postings.starts().limit()));
    if (!whole && span.length() <= chosen.size() * perEntry) {
      return scan(column, chosen.mask);
    }
    long total = whole ? postings.rowsOf(chosen) : postings.rowsOf(chosen, span);
    int wanted = (int) Math.min(limit, total);
    // The cheapest rows are often right at the start; as far as the other way would cost, look.
    long budget = STEP * (chosen.size() + wanted * (1L + log2(chosen.size())));
    int end = (int) Math.min(stop, span.start() + budget);
    int[] rows = new int[wanted];
    int size = 0;
    for (int row = span.start(); row < end && size < wanted; row++) {
      if (chosen.mask[column.get(row)] != 0) {
        rows[size++] = row;
      }
    }
    if (size < wanted && end < stop) {
      size = merge(postings, chosen, rows);
    }
    return new Found(total, rows, size);
  }

  private int merge(Postings postings, Chosen chosen, int[] rows) {
    PostingMerge merge = new PostingMerge(postings, chosen, span);
    int size = 0;
    while (size < rows.length) {
      int row = merge.next();
      if (row >= stop) {
        break;
      }
      rows[size++] = row;
    }
    return size;
  }

  private Found scan(IntBuffer column, byte[] mask) {
    FirstRows first = new FirstRows(limit, stop);
    long total = 0;
    int row = span.start();
    for (; row < first.bound(); row++) {
      if (mask[column.get(row)] != 0) {
        total++;
        first.add(row);
      }
    }
    for (; row < span.end(); row++) {
      total += mask[column.get(row)];
    }
    return first.found(total);
  }

  private Found twoSided() {
    long byShape = shapes.size() + table.byShape().rowsOf(shapes);
    long byPlace = places.size() + table.byPlace().rowsOf(places);
    if (Math.min(byShape, byPlace) > span.length()) {
      return scanBoth();
    }
    return byShape < byPlace
        ? walk(table.byShape(), shapes, places.mask)
        : walk(table.byPlace(), places, shapes.mask);
  }

  private Found scanBoth() {
    FirstRows first = new FirstRows(limit, stop);
    long total = 0;
    int row = span.start();
    for (; row < first.bound(); row++) {
      if ((shapes.mask[table.shapes().get(row)] & places.mask[table.places().get(row)]) != 0) {
        total++;
        first.add(row);
      }
    }
    for (; row < span.end(); row++) {
      total += shapes.mask[table.shapes().get(row)] & places.mask[table.places().get(row)];
    }
    return first.found(total);
  }

  private Found walk(Postings postings, Chosen chosen, byte[] mask) {
    FirstRows first = new FirstRows(limit, stop);
    long total = 0;
    for (int list = 0; list < chosen.size(); list++) {
      int id = chosen.id(list);
      int end = postings.positionOf(id, span.end());
      int i = postings.positionOf(id, span.start());
      for (; i < end && postings.rows().get(i) < first.bound(); i++) {
        if (mask[postings.others().get(i)] != 0) {
          total++;
          first.add(postings.rows().get(i));
        }
      }
      for (; i < end; i++) {
        total += mask[postings.others().get(i)];
      }
    }
    return first.found(total);
  }

  private static int log2(int value) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(value);
  }
}
