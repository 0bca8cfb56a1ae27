package dev.berth.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.model.offers.OfferFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogStoreTest {
  @TempDir private Path folder;

  private final Random random = Seed.random("CatalogStoreTest");
  private Instant now = Instant.parse("2026-11-15T23:59:59.123456Z");

  @Test
  void anEmptyFolderHasNothing() {
    CatalogStore store = store(folder.resolve("later"));
    assertThat(store.sources()).isEmpty();
    assertThat(store.versions("aws")).isEmpty();
    assertThat(store.newest("aws")).isEmpty();
    assertThat(store.load().catalog().query(OfferFilter.ANY, 1).total()).isZero();
  }

  @Test
  void theNewestIsTheLastOneThatWasPut() {
    CatalogStore store = store(folder);
    store.put(content("aws", 10));
    now = now.plusSeconds(60);
    store.put(content("aws", 20));
    store.put(content("gcp", 5));
    assertThat(store.sources()).containsExactly("aws", "gcp");
    assertThat(store.newest("aws").orElseThrow().offers()).isEqualTo(20);
    assertThat(names(store, "aws"))
        .containsExactly("20261116T000059123Z-1.offers", "20261115T235959123Z-1.offers");
    CatalogStore.Loaded loaded = store.load();
    assertThat(loaded.warnings()).isEmpty();
    assertThat(loaded.catalog().query(OfferFilter.ANY, 1).total()).isEqualTo(25);
  }

  @Test
  void versionsOfOneMomentAndOfAClockSetBackKeepTheirOrder() {
    CatalogStore store = store(folder);
    for (int i = 1; i <= 12; i++) {
      store.put(content("aws", i));
    }
    now = now.minusSeconds(3600);
    store.put(content("aws", 13));
    assertThat(store.newest("aws").orElseThrow().offers()).isEqualTo(13);
    assertThat(names(store, "aws")).hasSize(13).startsWith("20261115T235959123Z-13.offers");
  }

  @Test
  void onlySomeVersionsAreKept() {
    CatalogStore store = store(folder);
    for (int i = 1; i <= CatalogStore.KEPT + 5; i++) {
      now = now.plusSeconds(1);
      store.put(content("aws", i));
    }
    assertThat(store.versions("aws").stream().map(it -> Snapshot.open(it.file()).offers()))
        .hasSize(CatalogStore.KEPT)
        .startsWith(CatalogStore.KEPT + 5, CatalogStore.KEPT + 4)
        .endsWith(6);
  }

  @Test
  void whereTheNewestIsDamagedTheOneBeforeIsUsed() throws IOException {
    CatalogStore store = store(folder);
    store.put(content("aws", 10));
    store.put(content("aws", 20));
    store.put(content("gcp", 7));
    Path damaged = store.put(content("aws", 30)).file();
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[bytes.length / 2] ^= 1;
    Files.write(damaged, bytes);
    CatalogStore.Loaded loaded = store.load();
    assertThat(loaded.catalog().query(OfferFilter.ANY, 1).total()).isEqualTo(27);
    assertThat(loaded.warnings())
        .singleElement()
        .asString()
        .contains(damaged.toString(), "damaged", "older version");
    assertThat(store.newest("aws").orElseThrow().offers()).isEqualTo(20);
  }

  @Test
  void whereAllAreDamagedTheSourceIsMissingAndSaidSo() throws IOException {
    CatalogStore store = store(folder);
    Files.write(store.put(content("aws", 10)).file(), new byte[0]);
    Files.writeString(store.put(content("aws", 20)).file(), "not one of ours");
    CatalogStore.Loaded loaded = store.load();
    assertThat(loaded.catalog().snapshots()).isEmpty();
    assertThat(loaded.warnings()).hasSize(2);
  }

  @Test
  void aSnapshotOfAnotherSourceIsNotTaken() throws IOException {
    CatalogStore store = store(folder);
    Path aws = store.put(content("aws", 10)).file();
    Path gcp = store.put(content("gcp", 10)).file();
    Files.copy(aws, gcp.resolveSibling("20300101T000000000Z-1.offers"));
    assertThat(store.newest("gcp").orElseThrow().source()).isEqualTo("gcp");
    assertThat(store.load().warnings()).singleElement().asString().contains("20300101T000000000Z");
  }

  @Test
  void otherFilesAreLeftAloneAndUnfinishedOnesAreRemoved() throws IOException {
    CatalogStore store = store(folder);
    Path file = store.put(content("aws", 10)).file();
    Path note = Files.writeString(file.resolveSibling("note.txt"), "mine");
    Path odd = Files.writeString(file.resolveSibling("20269999T999999999Z-1.offers"), "mine");
    Path unfinished = Files.writeString(file.resolveSibling(".x.offers123.tmp"), "half");
    store.put(content("aws", 11));
    assertThat(note).exists();
    assertThat(odd).exists();
    assertThat(unfinished).doesNotExist();
    assertThat(store.versions("aws")).hasSize(2);
  }

  @Test
  void aSourceIsAName() {
    CatalogStore store = store(folder);
    for (String name : List.of("../aws", "", "a/b", ".hidden", "AWS")) {
      assertThatThrownBy(() -> store.newest(name)).isInstanceOf(CatalogException.class);
    }
  }

  @Test
  void whatCannotBeStoredIsSaid() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> store(file).put(content("aws", 1)))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void writersTakeTurnsAndReadersSeeWholeFiles() throws Exception {
    List<SnapshotContent> contents =
        Stream.of(50, 60, 70).map(size -> content("aws", size)).toList();
    store(folder).put(contents.getFirst());
    List<Callable<List<String>>> work = new ArrayList<>();
    for (SnapshotContent content : contents) {
      work.add(
          () -> {
            CatalogStore writer = new CatalogStore(folder, () -> now);
            for (int i = 0; i < 20; i++) {
              writer.put(content);
            }
            return List.of();
          });
    }
    work.add(
        () -> {
          CatalogStore reader = new CatalogStore(folder, () -> now);
          List<String> warnings = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            Snapshot found = reader.newest("aws", warnings::add).orElseThrow();
            assertThat(found.offers()).isIn(50, 60, 70);
          }
          return warnings.stream().filter(text -> !text.contains("NoSuchFile")).toList();
        });
    try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
      for (Future<List<String>> done : threads.invokeAll(work)) {
        assertThat(done.get()).isEmpty();
      }
    }
    assertThat(store(folder).versions("aws")).hasSize(CatalogStore.KEPT);
    assertThat(store(folder).versions("aws").getFirst().number()).isEqualTo(61);
  }

  private CatalogStore store(Path place) {
    return new CatalogStore(place, () -> now);
  }

  private SnapshotContent content(String source, int offers) {
    return new RandomContent(random).content(source, offers, 1);
  }

  private static List<String> names(CatalogStore store, String source) {
    return store.versions(source).stream()
        .map(version -> String.valueOf(version.file().getFileName()))
        .toList();
  }
}
