package dev.berth.catalog.index;

import dev.berth.model.offers.CatalogItem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Turns sorted items into the columns and postings of a {@link Table}. */
final class TableEncoder {
  private final Numbering<Shape> shapes;
  private final Numbering<Place> places;

  TableEncoder(Numbering<Shape> shapes, Numbering<Place> places) {
    this.shapes = shapes;
    this.places = places;
  }

  /** The parts of a table, in the order in which {@link Section} lists them. */
  List<ByteBuffer> encode(List<CatalogItem> sorted) {
    int rows = sorted.size();
    ByteBuffer prices = allocate(Math.multiplyExact(rows, Double.BYTES));
    int[] shapeOfRow = new int[rows];
    int[] placeOfRow = new int[rows];
    int row = 0;
    for (CatalogItem item : sorted) {
      prices.putDouble(item.price());
      shapeOfRow[row] = shapes.id(Shape.of(item));
      placeOfRow[row] = places.id(Place.of(item));
      row++;
    }
    List<ByteBuffer> parts = new ArrayList<>();
    parts.add(prices);
    parts.add(ints(shapeOfRow));
    parts.add(ints(placeOfRow));
    addPostings(parts, shapeOfRow, shapes.size(), placeOfRow);
    addPostings(parts, placeOfRow, places.size(), shapeOfRow);
    return parts;
  }

  private static void addPostings(
      List<ByteBuffer> parts, int[] entryOfRow, int entries, int[] otherOfRow) {
    int[] starts = new int[entries + 1];
    for (int entry : entryOfRow) {
      starts[entry + 1]++;
    }
    for (int entry = 0; entry < entries; entry++) {
      starts[entry + 1] += starts[entry];
    }
    int[] next = starts.clone();
    int[] rows = new int[entryOfRow.length];
    for (int row = 0; row < entryOfRow.length; row++) {
      rows[next[entryOfRow[row]]++] = row;
    }
    parts.add(ints(starts));
    parts.add(ints(rows));
    parts.add(ints(Arrays.stream(rows).map(row -> otherOfRow[row]).toArray()));
  }

  static ByteBuffer ints(int[] values) {
    ByteBuffer bytes = allocate(Math.multiplyExact(values.length, Integer.BYTES));
    bytes.asIntBuffer().put(values);
    return bytes;
  }

  static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
