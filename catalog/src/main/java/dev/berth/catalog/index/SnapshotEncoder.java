package dev.berth.catalog.index;

import static dev.berth.catalog.index.TableEncoder.allocate;
import static dev.berth.catalog.index.TableEncoder.ints;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.CatalogItem.Gpu;
import dev.berth.model.offers.ItemOrder;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Turns the content of a snapshot into the parts of its file. Equal contents give equal bytes. */
final class SnapshotEncoder {
  private final SnapshotContent content;
  private final List<CatalogItem> offers;
  private final List<SuspectItem> suspects;
  private final Numbering<Shape> shapes;
  private final Numbering<Place> places;
  private final Numbering<List<String>> lists;
  private final Words texts;
  private final Numbering<String> words;
  private final Map<Section, ByteBuffer> parts = new EnumMap<>(Section.class);

  private SnapshotEncoder(SnapshotContent content) {
    this.content = content;
    this.offers = content.offers().stream().sorted(ItemOrder.CHEAPEST_FIRST).toList();
    this.suspects =
        content.suspects().stream()
            .sorted(
                Comparator.comparing(SuspectItem::item, ItemOrder.CHEAPEST_FIRST)
                    .thenComparing(SuspectItem::reason))
            .toList();
    Set<Shape> shapeSet = new HashSet<>();
    Set<Place> placeSet = new HashSet<>();
    items()
        .forEach(
            item -> {
              shapeSet.add(Shape.of(item));
              placeSet.add(Place.of(item));
            });
    this.shapes = new Numbering<>(shapeSet.stream().sorted(Shape.ORDER).toList());
    this.places = new Numbering<>(placeSet.stream().sorted(Place.ORDER).toList());
    this.lists =
        new Numbering<>(
            shapes.keys().stream()
                .flatMap(shape -> Stream.of(shape.flags(), shape.repairs()))
                .distinct()
                .toList());
    this.texts = Words.of(allTexts());
    this.words = new Numbering<>(texts.texts());
  }

  static Map<Section, ByteBuffer> encode(SnapshotContent content) {
    return new SnapshotEncoder(content).encode();
  }

  private Map<Section, ByteBuffer> encode() {
    parts.put(Section.META, meta());
    putWords();
    parts.put(Section.LISTS, listNumbers());
    ByteBuffer shapePart = allocate(Math.multiplyExact(shapes.size(), ShapeColumns.BYTES));
    ShapeColumns columns = ShapeColumns.over(shapePart);
    shapes.forEach((shape, id) -> columns.put(id, shape, words, lists));
    parts.put(Section.SHAPES, shapePart);
    ByteBuffer placePart = allocate(Math.multiplyExact(places.size(), Places.BYTES));
    Places placeColumns = Places.over(placePart);
    places.forEach((place, id) -> placeColumns.put(id, place, words));
    parts.put(Section.PLACES, placePart);
    putTable(Section.OFFERS, offers);
    putTable(Section.SUSPECTS, suspects.stream().map(SuspectItem::item).toList());
    parts.put(
        Section.SUSPECT_REASONS,
        ints(suspects.stream().mapToInt(suspect -> words.id(suspect.reason())).toArray()));
    return parts;
  }

  private Stream<CatalogItem> items() {
    return Stream.concat(offers.stream(), suspects.stream().map(SuspectItem::item));
  }

  private Collection<String> allTexts() {
    Set<String> all = new HashSet<>();
    all.add(content.source());
    if (content.version() != null) {
      all.add(content.version());
    }
    all.addAll(content.accounting().refused().keySet());
    suspects.forEach(suspect -> all.add(suspect.reason()));
    lists.keys().forEach(all::addAll);
    for (Place place : places.keys()) {
      all.add(place.region());
      if (place.zone() != null) {
        all.add(place.zone());
      }
    }
    for (Shape shape : shapes.keys()) {
      all.add(shape.provider());
      all.add(shape.instanceType());
      all.add(shape.arch().name());
      all.add(shape.providerData());
      Gpu gpu = shape.gpu();
      if (gpu != null) {
        all.add(gpu.vendor().name());
        all.add(gpu.name());
      }
    }
    return all;
  }

  private ByteBuffer meta() {
    Accounting accounting = content.accounting();
    Instant collectedAt = content.collectedAt();
    Map<String, Long> refused = new TreeMap<>(accounting.refused());
    ByteBuffer meta = allocate(80 + 12 * refused.size());
    meta.putInt(words.id(content.source()))
        .putInt(content.version() == null ? Words.NONE : words.id(content.version()))
        .putLong(collectedAt.getEpochSecond())
        .putInt(collectedAt.getNano())
        .putLong(accounting.rows())
        .putLong(accounting.offers())
        .putLong(accounting.suspects())
        .putLong(accounting.repaired())
        .putLong(accounting.duplicates())
        .putLong(accounting.repriced())
        .putInt(refused.size());
    refused.forEach((reason, rows) -> meta.putInt(words.id(reason)).putLong(rows));
    return meta.flip();
  }

  private void putWords() {
    List<ByteBuffer> encoded = new ArrayList<>();
    int[] ends = new int[texts.size()];
    long end = 0;
    for (int id = 0; id < texts.size(); id++) {
      ByteBuffer bytes = utf8(texts.text(id));
      encoded.add(bytes);
      end += bytes.remaining();
      ends[id] = Math.toIntExact(end);
    }
    ByteBuffer all = allocate((int) end);
    encoded.forEach(all::put);
    parts.put(Section.WORD_ENDS, ints(ends));
    parts.put(Section.WORD_BYTES, all);
  }

  private ByteBuffer utf8(String text) {
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new CatalogException(
          "The source " + content.source() + " has a text that is not Unicode: '" + text + "'.", e);
    }
  }

  private ByteBuffer listNumbers() {
    return ints(
        lists.keys().stream()
            .flatMap(list -> Stream.concat(Stream.of(list.size()), list.stream().map(words::id)))
            .mapToInt(Integer::intValue)
            .toArray());
  }

  private void putTable(List<Section> sections, List<CatalogItem> sorted) {
    List<ByteBuffer> table = new TableEncoder(shapes, places).encode(sorted);
    for (int i = 0; i < sections.size(); i++) {
      parts.put(sections.get(i), table.get(i));
    }
  }
}
