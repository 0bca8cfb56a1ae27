package dev.berth.catalog.index;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.CatalogException;
import dev.berth.model.offers.CatalogItem;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of a snapshot's file. Numbers that lead to other parts are checked here, once, so
 * that no question runs into one that leads nowhere.
 */
final class SnapshotDecoder {
  private final Path file;
  private final Map<Section, ByteBuffer> parts;

  private SnapshotDecoder(Path file, Map<Section, ByteBuffer> parts) {
    this.file = file;
    this.parts = parts;
  }

  static Snapshot decode(Path file) {
    return decode(file, SnapshotFile.open(file));
  }

  /** Reads parts that need no file; the name stands in messages. */
  static Snapshot decode(Path file, Map<Section, ByteBuffer> parts) {
    SnapshotDecoder decoder = new SnapshotDecoder(file, parts);
    try {
      return decoder.decode();
    } catch (IllegalArgumentException
        | IndexOutOfBoundsException
        | ArithmeticException
        | DateTimeException
        | java.nio.BufferUnderflowException e) {
      CatalogException damaged = SnapshotFile.damaged(file, "its parts do not fit together");
      damaged.initCause(e);
      throw damaged;
    }
  }

  private Snapshot decode() {
    Words words = words();
    List<List<String>> lists = lists(words);
    Shapes shapes = Shapes.of(ShapeColumns.over(part(Section.SHAPES)), words, lists);
    Places places = Places.over(part(Section.PLACES), words);
    checkItems(shapes, places, words);
    Table offers = table(Section.OFFERS, shapes.size(), places.size(), null);
    IntBuffer reasons = ints(Section.SUSPECT_REASONS);
    Table suspects = table(Section.SUSPECTS, shapes.size(), places.size(), reasons);
    checkIds(reasons, words.size());
    check(reasons.limit() == suspects.rows());
    ByteBuffer meta = part(Section.META);
    String source = words.text(meta.getInt());
    String version = words.textOrNull(meta.getInt());
    Instant collectedAt = Instant.ofEpochSecond(meta.getLong(), meta.getInt());
    Accounting accounting = accounting(meta, words);
    return new Snapshot(
        file, source, version, collectedAt, accounting, words, shapes, places, offers, suspects);
  }

  private Words words() {
    IntBuffer ends = ints(Section.WORD_ENDS);
    byte[] bytes = new byte[part(Section.WORD_BYTES).limit()];
    part(Section.WORD_BYTES).get(0, bytes);
    String[] texts = new String[ends.limit()];
    int start = 0;
    for (int id = 0; id < texts.length; id++) {
      int end = ends.get(id);
      check(end >= start && end <= bytes.length);
      texts[id] = new String(bytes, start, end - start, StandardCharsets.UTF_8);
      start = end;
    }
    return new Words(texts);
  }

  private List<List<String>> lists(Words words) {
    IntBuffer numbers = ints(Section.LISTS);
    List<List<String>> lists = new ArrayList<>();
    while (numbers.hasRemaining()) {
      int size = numbers.get();
      check(size >= 0 && size <= numbers.remaining());
      List<String> list = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        list.add(words.text(numbers.get()));
      }
      lists.add(List.copyOf(list));
    }
    return List.copyOf(lists);
  }

  /** Makes an item of each shape and of each place, because an item says what is wrong with it. */
  private static void checkItems(Shapes shapes, Places places, Words words) {
    if (shapes.size() == 0 || places.size() == 0) {
      return;
    }
    Place anyPlace = places.place(0, words);
    for (int id = 0; id < shapes.size(); id++) {
      CatalogItem made = ShapeColumns.item(shapes.shape(id), anyPlace, 0);
      check(made.provider().equals(words.text(shapes.columns().provider().get(id))));
    }
    Shape anyShape = shapes.shape(0);
    for (int id = 0; id < places.size(); id++) {
      CatalogItem made = ShapeColumns.item(anyShape, places.place(id, words), 0);
      check(made.region().equals(words.text(places.regions().get(id))));
    }
  }

  private Table table(List<Section> sections, int shapes, int places, @Nullable IntBuffer reasons) {
    DoubleBuffer prices = part(sections.get(0)).asDoubleBuffer();
    IntBuffer shapeOfRow = ints(sections.get(1));
    IntBuffer placeOfRow = ints(sections.get(2));
    check(sameSize(prices, shapeOfRow) && sameSize(prices, placeOfRow));
    checkIds(shapeOfRow, shapes);
    checkIds(placeOfRow, places);
    Postings byShape = postings(sections.subList(3, 6), shapes, places);
    Postings byPlace = postings(sections.subList(6, 9), places, shapes);
    check(sameSize(prices, byShape.rows()) && sameSize(prices, byPlace.rows()));
    double last = 0;
    for (int row = 0; row < prices.limit(); row++) {
      double price = prices.get(row);
      check(price >= last && price < Double.POSITIVE_INFINITY);
      last = price;
    }
    return new Table(prices, shapeOfRow, placeOfRow, byShape, byPlace, reasons);
  }

  private Postings postings(List<Section> sections, int entries, int otherEntries) {
    IntBuffer starts = ints(sections.get(0));
    IntBuffer rowsOfEntries = ints(sections.get(1));
    IntBuffer others = ints(sections.get(2));
    int rows = rowsOfEntries.limit();
    check(starts.limit() == entries + 1 && others.limit() == rows);
    check(starts.get(0) == 0 && starts.get(entries) == rows);
    for (int entry = 0; entry < entries; entry++) {
      check(starts.get(entry) <= starts.get(entry + 1));
    }
    checkIds(rowsOfEntries, rows);
    checkIds(others, otherEntries);
    return new Postings(starts, rowsOfEntries, others);
  }

  private static Accounting accounting(ByteBuffer meta, Words words) {
    long rows = meta.getLong();
    long offers = meta.getLong();
    long suspects = meta.getLong();
    long repaired = meta.getLong();
    long duplicates = meta.getLong();
    long repriced = meta.getLong();
    int reasons = meta.getInt();
    Map<String, Long> refused = new HashMap<>();
    for (int i = 0; i < reasons; i++) {
      refused.put(words.text(meta.getInt()), meta.getLong());
    }
    return new Accounting(rows, offers, suspects, repaired, duplicates, repriced, refused);
  }

  private static void checkIds(IntBuffer ids, int size) {
    for (int i = 0; i < ids.limit(); i++) {
      check(Integer.compareUnsigned(ids.get(i), size) < 0);
    }
  }

  private static void check(boolean sound) {
    if (!sound) {
      throw new IllegalArgumentException("a number of the file leads nowhere");
    }
  }

  private static boolean sameSize(Buffer left, Buffer right) {
    return left.limit() == right.limit();
  }

  private IntBuffer ints(Section section) {
    return part(section).asIntBuffer();
  }

  private ByteBuffer part(Section section) {
    ByteBuffer part = parts.get(section);
    if (part == null) {
      throw SnapshotFile.damaged(file, "it has no part " + section);
    }
    return part.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }
}
