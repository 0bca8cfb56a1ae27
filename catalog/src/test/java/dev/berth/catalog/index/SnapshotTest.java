package dev.berth.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.ItemOrder;
import dev.berth.model.offers.OfferFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
  @TempDir private Path folder;

  @Test
  void whatIsWrittenIsRead() {
    Random random = Seed.random("SnapshotTest.whatIsWrittenIsRead");
    for (int round = 0; round < 50; round++) {
      SnapshotContent content =
          new RandomContent(random).content("any", random.nextInt(300), random.nextInt(30));
      Snapshot snapshot = Snapshot.write(folder.resolve("any.offers"), content);
      assertThat(snapshot.content()).isEqualTo(sorted(content));
      assertThat(Snapshot.open(snapshot.file()).content()).isEqualTo(sorted(content));
      assertThat(snapshot.source()).isEqualTo("any");
      assertThat(snapshot.version().orElse(null)).isEqualTo(content.version());
      assertThat(snapshot.collectedAt()).isEqualTo(content.collectedAt());
      assertThat(snapshot.accounting()).isEqualTo(content.accounting());
      assertThat(snapshot.offers()).isEqualTo(content.offers().size());
      assertThat(snapshot.suspects()).isEqualTo(content.suspects().size());
    }
  }

  @Test
  void equalContentsGiveEqualFiles() throws Exception {
    Random random = Seed.random("SnapshotTest.equalContentsGiveEqualFiles");
    SnapshotContent content = new RandomContent(random).content("any", 500, 20);
    List<CatalogItem> shuffled = new ArrayList<>(content.offers());
    Collections.shuffle(shuffled, random);
    SnapshotContent other =
        new SnapshotContent(
            content.source(),
            content.version(),
            content.collectedAt(),
            content.accounting(),
            shuffled,
            content.suspects());
    Snapshot first = Snapshot.write(folder.resolve("1.offers"), content);
    Snapshot second = Snapshot.write(folder.resolve("2.offers"), other);
    assertThat(Files.readAllBytes(first.file())).isEqualTo(Files.readAllBytes(second.file()));
  }

  @Test
  void anEmptySourceIsASnapshotToo() {
    SnapshotContent content =
        new SnapshotContent(
            "empty",
            null,
            Instant.EPOCH,
            new Accounting(3, 0, 0, 0, 0, 0, Map.of("no price", 3L)),
            List.of(),
            List.of());
    Snapshot snapshot = Snapshot.write(folder.resolve("empty.offers"), content);
    assertThat(snapshot.content()).isEqualTo(content);
    Catalog catalog = Catalog.of(List.of(snapshot));
    assertThat(catalog.query(OfferFilter.ANY, 10).total()).isZero();
    assertThat(catalog.groups(OfferFilter.ANY, List.of(GroupKey.GPU))).isEmpty();
  }

  @Test
  void textThatIsNoUnicodeIsRefused() {
    SnapshotContent content = one("half \ud800 a character");
    assertThatThrownBy(() -> Snapshot.write(folder.resolve("bad.offers"), content))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("not Unicode");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() {
    assertThatThrownBy(() -> Snapshot.write(folder.resolve("gone/any.offers"), one("m5")))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("gone/any.offers");
  }

  @Test
  void aSnapshotOutlivesItsFile() throws Exception {
    Snapshot snapshot = Snapshot.write(folder.resolve("any.offers"), one("m5"));
    Files.delete(snapshot.file());
    assertThat(snapshot.content()).isEqualTo(one("m5"));
  }

  @Test
  void resultsCannotBeChanged() {
    Snapshot snapshot = Snapshot.write(folder.resolve("any.offers"), one("m5"));
    Catalog catalog = Catalog.of(List.of(snapshot));
    QueryResult result = catalog.query(OfferFilter.ANY, 1);
    assertThatThrownBy(() -> result.offers().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> result.offers().getFirst().item().flags().add("flag"))
        .isInstanceOf(UnsupportedOperationException.class);
    List<Group> groups = catalog.groups(OfferFilter.ANY, List.of());
    assertThatThrownBy(groups::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> groups.getFirst().regions().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> catalog.snapshots().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aLimitOfZeroOnlyCounts() {
    Snapshot snapshot = Snapshot.write(folder.resolve("any.offers"), one("m5"));
    Catalog catalog = Catalog.of(List.of(snapshot));
    assertThat(catalog.query(OfferFilter.ANY, 0)).isEqualTo(new QueryResult(1, List.of()));
    assertThatThrownBy(() -> catalog.query(OfferFilter.ANY, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSourceHasOneSnapshotInACatalog() {
    Snapshot snapshot = Snapshot.write(folder.resolve("any.offers"), one("m5"));
    assertThatThrownBy(() -> Catalog.of(List.of(snapshot, snapshot)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("any");
    assertThat(Catalog.EMPTY.with(snapshot).with(snapshot).snapshots()).containsExactly(snapshot);
    assertThat(Catalog.EMPTY.with(snapshot).without("any").snapshots()).isEmpty();
    assertThat(Catalog.EMPTY.with(snapshot).snapshot("any")).contains(snapshot);
  }

  private static SnapshotContent one(String type) {
    CatalogItem item =
        new CatalogItem(
            "aws",
            type,
            "us-east-1",
            null,
            0.096,
            2,
            CpuArchitecture.X86,
            8192,
            null,
            null,
            false,
            List.of(),
            CatalogItem.NO_PROVIDER_DATA,
            List.of());
    return new SnapshotContent(
        "any",
        "1",
        Instant.parse("2026-08-22T15:00:00.123456789Z"),
        new Accounting(1, 1, 0, 0, 0, 0, Map.of()),
        List.of(item),
        List.of());
  }

  private static SnapshotContent sorted(SnapshotContent content) {
    return new SnapshotContent(
        content.source(),
        content.version(),
        content.collectedAt(),
        content.accounting(),
        content.offers().stream().sorted(ItemOrder.CHEAPEST_FIRST).toList(),
        content.suspects().stream()
            .sorted(
                Comparator.comparing(SuspectItem::item, ItemOrder.CHEAPEST_FIRST)
                    .thenComparing(SuspectItem::reason))
            .toList());
  }
}
