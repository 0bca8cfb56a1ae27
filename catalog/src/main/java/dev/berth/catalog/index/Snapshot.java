package dev.berth.catalog.index;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.CatalogException;
import dev.berth.catalog.CatalogOffer;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.ItemOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One source at one time, as a file that is mapped into memory. It never changes, so any number of
 * threads may read it; the memory is given back when nobody refers to it any more, and the file may
 * be deleted before that.
 */
public final class Snapshot {
  private final Path file;
  private final String source;
  private final @Nullable String version;
  private final Instant collectedAt;
  private final Accounting accounting;
  private final Words words;
  private final Shapes shapes;
  private final Places places;
  private final Table offers;
  private final Table suspects;

  Snapshot(
      Path file,
      String source,
      @Nullable String version,
      Instant collectedAt,
      Accounting accounting,
      Words words,
      Shapes shapes,
      Places places,
      Table offers,
      Table suspects) {
    this.file = file;
    this.source = source;
    this.version = version;
    this.collectedAt = collectedAt;
    this.accounting = accounting;
    this.words = words;
    this.shapes = shapes;
    this.places = places;
    this.offers = offers;
    this.suspects = suspects;
  }

  /**
   * Writes a file and opens it. Whoever looks for the file finds what was there before, or all of
   * the new one.
   *
   * @throws CatalogException where the file cannot be written
   */
  public static Snapshot write(Path file, SnapshotContent content) {
    try {
      SnapshotFile.write(file, SnapshotEncoder.encode(content));
    } catch (IOException e) {
      throw new CatalogException("The snapshot " + file + " cannot be written: " + e, e);
    }
    return open(file);
  }

  /**
   * Opens a file after checking all of it.
   *
   * @throws CatalogException where it cannot be read, is damaged, cut off, no snapshot, or of a
   *     format that is not known yet
   */
  public static Snapshot open(Path file) {
    return SnapshotDecoder.decode(file);
  }

  /** A snapshot without a file, for answers that are not kept. */
  public static Snapshot inMemory(SnapshotContent content) {
    Map<Section, ByteBuffer> parts = SnapshotEncoder.encode(content);
    parts.values().forEach(ByteBuffer::rewind);
    return SnapshotDecoder.decode(Path.of(content.source()), parts);
  }

  public Path file() {
    return file;
  }

  public String source() {
    return source;
  }

  /** What the provider calls this state of its prices. */
  public Optional<String> version() {
    return Optional.ofNullable(version);
  }

  public Instant collectedAt() {
    return collectedAt;
  }

  public Accounting accounting() {
    return accounting;
  }

  /** How many offers there are, suspects aside. */
  public int offers() {
    return offers.rows();
  }

  public int suspects() {
    return suspects.rows();
  }

  /** Everything, as it was written; offers and suspects in the order of {@link ItemOrder}. */
  public SnapshotContent content() {
    return new SnapshotContent(
        source,
        version,
        collectedAt,
        accounting,
        IntStream.range(0, offers.rows()).mapToObj(row -> item(offers, row)).toList(),
        IntStream.range(0, suspects.rows())
            .mapToObj(row -> new SuspectItem(item(suspects, row), reason(row)))
            .toList());
  }

  Words words() {
    return words;
  }

  Shapes shapes() {
    return shapes;
  }

  Places places() {
    return places;
  }

  Table offerTable() {
    return offers;
  }

  Table suspectTable() {
    return suspects;
  }

  Chosen chooseShapes(Question question) {
    return ShapeJudge.choose(shapes, question);
  }

  Chosen choosePlaces(Question question) {
    return PlaceJudge.choose(places, words, question);
  }

  CatalogItem item(Table table, int row) {
    return ShapeColumns.item(
        shapes.shape(table.shapes().get(row)),
        places.place(table.places().get(row), words),
        table.prices().get(row));
  }

  CatalogOffer offer(Table table, int row) {
    return new CatalogOffer(
        item(table, row), source, collectedAt, table.reasons() == null ? null : reason(row));
  }

  private String reason(int row) {
    IntBuffer reasons = suspects.reasons();
    if (reasons == null) {
      throw new IllegalStateException("suspects have reasons");
    }
    return words.text(reasons.get(row));
  }
}
