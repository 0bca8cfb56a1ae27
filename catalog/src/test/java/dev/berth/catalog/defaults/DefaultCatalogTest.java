package dev.berth.catalog.defaults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.index.StoreLock;
import dev.berth.catalog.read.FakeMirror;
import dev.berth.catalog.read.FakeMirror.Fault;
import dev.berth.catalog.read.Samples;
import dev.berth.catalog.read.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A catalog is fetched where there is none, when it is due, by one at a time. */
final class DefaultCatalogTest {
  private static final Duration PATIENT = Duration.ofMinutes(1);
  private static final String ZIP = "/v3/aws/20260822-1/catalog.zip";

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-08-22T12:00:00Z"));
  private final Path home;
  private final FakeMirror mirror;

  DefaultCatalogTest(@TempDir Path folder) throws IOException {
    home = folder.resolve("catalog");
    mirror = new FakeMirror();
  }

  @BeforeEach
  void publish() throws IOException {
    mirror.put("/v3/aws/version", "20260822-1\n");
    mirror.put(ZIP, zip("a1"));
  }

  @AfterEach
  void close() {
    mirror.close();
  }

  private static byte[] zip(String type) throws IOException {
    return Samples.zip(Map.of("aws.csv", Samples.gpuhunt(type)));
  }

  private DefaultCatalog catalog() {
    return new DefaultCatalog(home, setting("/v3"), now::get);
  }

  private CatalogSetting setting(String path) {
    return CatalogSetting.of(mirror.url() + path, null, null);
  }

  private void later(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  private static List<String> types(CatalogFolder folder) {
    return folder.newest("aws").map(SnapshotContent::offers).orElse(List.of()).stream()
        .map(item -> item.instanceType())
        .toList();
  }

  /** Waits for the fetch that a use has begun, by getting in line behind it. */
  private void awaitFetch(DefaultCatalog catalog) throws InterruptedException {
    catalog.fetchIfDue();
  }

  @Test
  void theFirstUseFetchesAndTheNextDoesNot() throws InterruptedException {
    try (DefaultCatalog catalog = catalog()) {
      CatalogInUse first = catalog.use(PATIENT);
      assertThat(types(first.folder())).containsExactly("a1");
      assertThat(first.note())
          .isEqualTo("prices are from the catalog at %s/v3, fetched just now", mirror.url());
      mirror.requests.clear();
      later(Duration.ofHours(3));
      assertThat(catalog.use(PATIENT).note()).endsWith("fetched 3 hours ago");
      assertThat(mirror.requests).isEmpty();
    }
  }

  @Test
  void pricesThatWereOldWhenTheyCameAreToldToBe() throws InterruptedException {
    later(Duration.ofDays(30));
    try (DefaultCatalog catalog = catalog()) {
      assertThat(catalog.use(PATIENT).note())
          .endsWith("fetched just now and published 30 days ago");
    }
  }

  @Test
  void anOldCopyIsUsedWhileItIsRefreshed() throws IOException, InterruptedException {
    try (DefaultCatalog catalog = catalog()) {
      catalog.use(PATIENT);
      mirror.put("/v3/aws/version", "20260823-1");
      mirror.put("/v3/aws/20260823-1/catalog.zip", zip("a2"));
      later(Duration.ofHours(25));
      assertThat(catalog.use(Duration.ZERO).note()).contains("fetched 25 hours ago");
      awaitFetch(catalog);
      CatalogInUse refreshed = catalog.use(PATIENT);
      assertThat(types(refreshed.folder())).containsExactly("a2");
      assertThat(refreshed.note()).endsWith("fetched just now");
    }
  }

  @Test
  void whoeverWaitsTooLongGoesOnWithoutAndFindsItLater() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    AtomicReference<DefaultCatalog> fetcher = new AtomicReference<>();
    try (DefaultCatalog catalog =
        new DefaultCatalog(
            home,
            setting("/v3"),
            now::get,
            () -> {
              begun.incrementAndGet();
              return CompletableFuture.runAsync(
                  () -> {
                    try {
                      go.await();
                      Objects.requireNonNull(fetcher.get()).fetchIfDue();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  },
                  Thread.ofVirtual()::start);
            })) {
      fetcher.set(catalog);
      CatalogInUse without = catalog.use(Duration.ofMillis(1));
      assertThat(without.folder().store().sources()).isEmpty();
      assertThat(without.note()).contains("is being fetched in the background");
      catalog.use(Duration.ofMillis(1));
      assertThat(begun).as("one fetch at a time").hasValue(1);
      go.countDown();
      assertThat(types(catalog.use(PATIENT).folder())).containsExactly("a1");
    }
  }

  @Test
  void twoProcessesFetchOnce() throws Exception {
    try (DefaultCatalog one = catalog();
        DefaultCatalog other = catalog()) {
      Future<CatalogInUse> first = CompletableFuture.supplyAsync(() -> used(one));
      Future<CatalogInUse> second = CompletableFuture.supplyAsync(() -> used(other));
      assertThat(types(first.get().folder())).containsExactly("a1");
      assertThat(types(second.get().folder())).containsExactly("a1");
      assertThat(mirror.requests.stream().filter(("GET " + ZIP + " 200")::equals)).hasSize(1);
    }
  }

  private static CatalogInUse used(DefaultCatalog catalog) {
    try {
      return catalog.use(PATIENT);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whoeverHoldsTheLockIsWaitedForAndNotLonger() throws Exception {
    try (DefaultCatalog catalog = catalog()) {
      Path folder = catalog.inUse().store().folder().resolveSibling(".");
      Files.createDirectories(folder);
      try (StoreLock _ = StoreLock.acquire(folder)) {
        assertThat(catalog.use(Duration.ofMillis(1)).note()).contains("is being fetched");
        assertThat(mirror.requests).isEmpty();
      }
      assertThat(types(catalog.use(PATIENT).folder())).containsExactly("a1");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"STATUS_500", "CUT_OFF", "REDIRECT_TO_ITSELF"})
  void aFailureIsToldAndNotRepeatedAtEachCommand(Fault fault) throws InterruptedException {
    mirror.fail(ZIP, fault);
    try (DefaultCatalog catalog = catalog()) {
      CatalogInUse failed = catalog.use(PATIENT);
      assertThat(failed.note())
          .contains("could not be fetched: aws: ")
          .contains("the next try is in 5 minutes")
          .contains("berth catalog import")
          .contains("catalog: off")
          .doesNotContain("\n");
      mirror.requests.clear();
      later(Duration.ofMinutes(1));
      assertThat(catalog().use(PATIENT).note()).contains("the next try is in 4 minutes");
      assertThat(mirror.requests).isEmpty();
      later(Duration.ofMinutes(4));
      assertThat(catalog.use(PATIENT).note()).contains("the next try is in 10 minutes");
      mirror.heal();
      later(Duration.ofMinutes(10));
      assertThat(types(catalog.use(PATIENT).folder())).containsExactly("a1");
      assertThat(catalog.health().orElseThrow().sound()).isTrue();
    }
  }

  @Test
  void whatIsDamagedOrEmptyOrHugeLeavesTheLastCopy() throws IOException, InterruptedException {
    try (DefaultCatalog catalog = catalog()) {
      catalog.use(PATIENT);
      byte[] damaged = zip("a2");
      damaged[damaged.length / 2] ^= 1;
      byte[] empty = Samples.zip(Map.of("aws.csv", Samples.gpuhunt("x").lines().findFirst().get()));
      byte[] huge = new byte[(32 << 20) + 1];
      int version = 2;
      for (byte[] bad : List.of(damaged, empty, huge)) {
        mirror.put("/v3/aws/version", "20260823-" + version);
        mirror.put("/v3/aws/20260823-" + version + "/catalog.zip", bad);
        version++;
        later(Duration.ofDays(2));
        catalog.use(Duration.ZERO);
        awaitFetch(catalog);
        CatalogInUse kept = catalog.use(Duration.ZERO);
        assertThat(types(kept.folder())).containsExactly("a1");
        assertThat(kept.note()).contains("days ago; the last try failed: ");
        assertThat(catalog.health().orElseThrow().sound()).isFalse();
      }
    }
  }

  @Test
  void withoutANetworkTheLastCopyIsUsed() throws InterruptedException {
    try (DefaultCatalog catalog = catalog()) {
      catalog.use(PATIENT);
      mirror.close();
      later(Duration.ofDays(3));
      catalog.use(Duration.ZERO);
      awaitFetch(catalog);
      CatalogInUse offline = catalog.use(PATIENT);
      assertThat(types(offline.folder())).containsExactly("a1");
      assertThat(offline.note()).contains("fetched 3 days ago; the last try failed: ");
    }
  }

  @Test
  void aMirrorWithoutACatalogIsToldOf() throws InterruptedException {
    try (DefaultCatalog catalog = new DefaultCatalog(home, setting("/nothing"), now::get)) {
      assertThat(catalog.use(PATIENT).note()).contains("There is no catalog of gpuhunt at");
    }
  }

  @Test
  void whatTheUserImportedWins() throws IOException, InterruptedException {
    CatalogFolder own = new CatalogFolder(home, now::get);
    try (DefaultCatalog catalog = catalog()) {
      CatalogFolder fetched = catalog.use(PATIENT).folder();
      own.put(fetched.newest("aws").orElseThrow());
      later(Duration.ofDays(3));
      mirror.requests.clear();
      CatalogInUse used = catalog.use(PATIENT);
      assertThat(used.note()).isNull();
      assertThat(catalog.health()).isEmpty();
      assertThat(used.folder().store().folder()).isEqualTo(own.store().folder());
      awaitFetch(catalog);
      assertThat(mirror.requests).isEmpty();
    }
  }

  @Test
  void offIsOff() throws InterruptedException {
    try (DefaultCatalog catalog =
        new DefaultCatalog(home, CatalogSetting.of("off", mirror.url(), null), now::get)) {
      assertThat(catalog.use(PATIENT).note()).isNull();
      assertThat(catalog.health().orElseThrow().sentence()).contains("the default catalog is off");
      assertThat(mirror.requests).isEmpty();
      assertThat(home).doesNotExist();
    }
  }

  @Test
  void theVariableComesBeforeTheFileAndBothBeforeGpuhunt() {
    assertThat(CatalogSetting.of(null, null, null).address()).isEqualTo(CatalogSetting.GPUHUNT);
    assertThat(CatalogSetting.of(" ", "off", null).address()).isNull();
    assertThat(CatalogSetting.of("http://a/v3/", "off", null).address()).isEqualTo("http://a/v3");
    assertThatThrownBy(() -> CatalogSetting.of("on", null, null))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("BERTH_CATALOG: expected off, or an address")
        .hasMessageContaining("found 'on'");
  }

  @Test
  void theRealCatalogsAreFetchedWhole() throws IOException, InterruptedException {
    Path real = TestData.catalogs().resolve("gpuhunt-v3");
    try (Stream<Path> files = Files.walk(real)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        mirror.put("/real/" + real.relativize(file), Files.readAllBytes(file));
      }
    }
    try (DefaultCatalog catalog = new DefaultCatalog(home, setting("/real"), now::get)) {
      CatalogInUse used = catalog.use(PATIENT);
      assertThat(used.folder().store().sources()).hasSize(9);
      assertThat(used.note()).endsWith("fetched just now");
    }
  }
}
