package dev.berth.catalog.collect;

import static dev.berth.catalog.collect.TestSource.offline;
import static dev.berth.catalog.gate.Samples.cloud;
import static dev.berth.catalog.gate.Samples.each;
import static dev.berth.catalog.gate.Samples.fetched;
import static dev.berth.catalog.gate.Samples.gpu;
import static dev.berth.catalog.gate.Samples.priced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.gate.Finding;
import dev.berth.catalog.gate.Rule;
import dev.berth.spi.OfferSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CollectorTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private final InMemorySnapshots store = new InMemorySnapshots();
  private final Collector collector = new Collector(new TestClock(), 4, LONG);

  @Test
  void whatTheGateRefusesLeavesTheSnapshotBefore() throws InterruptedException {
    collect(false, offline("a", () -> fetched(cloud())));
    OfferSource empty = offline("a", () -> fetched(List.of()));
    assertThat(collect(false, empty))
        .singleElement()
        .isInstanceOfSatisfying(
            Report.Refused.class,
            report ->
                assertThat(report.verdict().refusals())
                    .extracting(Finding::rule)
                    .containsExactly(Rule.EMPTY));
    assertThat(store.newest("a").orElseThrow().offers()).hasSize(40);
    assertThat(store.history("a")).hasSize(1);
  }

  @Test
  void forceTakesARefusedSnapshotAndKeepsTheVerdict() throws InterruptedException {
    collect(false, offline("a", () -> fetched(cloud())));
    OfferSource dear =
        offline("a", () -> fetched(each(cloud(), item -> priced(item, item.price() * 1000))));
    assertThat(collect(true, dear))
        .singleElement()
        .isInstanceOfSatisfying(
            Report.Accepted.class, report -> assertThat(report.verdict().refused()).isTrue());
    assertThat(store.history("a")).hasSize(2);
  }

  @Test
  void theSourcesOwnChecksAreHeard() throws InterruptedException {
    TestSource source =
        new TestSource(
            "a",
            OfferSource.Kind.OFFLINE,
            () -> fetched(cloud()),
            items -> List.of("only " + items.size() + " offers"));
    assertThat(collect(false, source))
        .singleElement()
        .isInstanceOfSatisfying(
            Report.Refused.class,
            report ->
                assertThat(report.verdict().findings())
                    .containsExactly(new Finding(Rule.SOURCE_CHECK, "only 40 offers")));
  }

  @Test
  void pricesAreJudgedByWhatOtherSourcesSay() throws InterruptedException {
    OfferSource auction =
        offline(
            "auction",
            () ->
                fetched(
                    List.of(
                        gpu("cheap", "utah", false, 0.01, "A100", 1),
                        gpu("fair", "utah", false, 1.8, "A100", 1))));
    collect(false, auction, offline("a", () -> fetched(cloud())));
    assertThat(store.newest("auction").orElseThrow().suspects()).hasSize(1);

    // Also where the others are not asked this time.
    collect(false, auction);
    assertThat(store.newest("auction").orElseThrow().suspects()).hasSize(1);
  }

  @Test
  void sourcesAreAskedAtTheSameTimeButNotAllAtOnce() throws InterruptedException {
    CyclicBarrier together = new CyclicBarrier(4);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<OfferSource> sources = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      sources.add(
          offline(
              "s" + i,
              () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                // Nobody passes before four are asked at once.
                together.await();
                running.decrementAndGet();
                return fetched(cloud());
              }));
    }
    List<Report> reports = collector.collect(sources, store, false, Progress.SILENT);
    assertThat(reports).hasSize(12).allMatch(Report.Accepted.class::isInstance);
    assertThat(reports).extracting(Report::source).startsWith("s0", "s1").endsWith("s11");
    assertThat(most.get()).isEqualTo(4);
  }

  @Test
  void aSourceIsGivenUpAtItsDeadlineThoughItIgnoresInterruption() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    OfferSource stubborn =
        offline(
            "stubborn",
            () -> {
              awaitUninterruptibly(end);
              return fetched(cloud());
            });
    List<Report> reports =
        new Collector(new TestClock(), 2, Duration.ofMillis(1))
            .collect(List.of(stubborn), store, false, Progress.SILENT);
    assertThat(reports)
        .singleElement()
        .isInstanceOfSatisfying(
            Report.Failed.class, report -> assertThat(report.sentence()).startsWith("no answer"));
    end.countDown();
    assertThat(store.sources()).isEmpty();
  }

  @Test
  void whoInterruptsFindsTheStoreAsItWas() throws InterruptedException {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch quickIsDone = new CountDownLatch(1);
    OfferSource hangs =
        offline(
            "hangs",
            () -> {
              hanging.countDown();
              try {
                new CountDownLatch(1).await();
              } finally {
                interrupted.countDown();
              }
              return fetched(cloud());
            });
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread collecting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    collector.collect(
                        List.of(offline("quick", () -> fetched(cloud())), hangs),
                        store,
                        false,
                        new Progress() {
                          @Override
                          public void fetched(String source, long rows) {
                            quickIsDone.countDown();
                          }
                        });
                  } catch (InterruptedException e) {
                    thrown.set(e);
                  }
                });
    hanging.await();
    quickIsDone.await();
    collecting.interrupt();
    collecting.join();
    interrupted.await();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(store.sources()).isEmpty();
  }

  @Test
  void progressIsToldByTheCallersThread() throws InterruptedException {
    List<String> heard = new ArrayList<>();
    Thread caller = Thread.currentThread();
    new Collector(new TestClock(), 1, LONG)
        .collect(
            List.of(offline("a", () -> fetched(cloud())), TestSource.failing("b")),
            store,
            false,
            new Progress() {
              @Override
              public void started(String source) {
                tell("started " + source);
              }

              @Override
              public void fetched(String source, long rows) {
                tell("fetched " + source + " " + rows);
              }

              @Override
              public void finished(Report report) {
                tell(report.getClass().getSimpleName() + " " + report.source());
              }

              private void tell(String what) {
                assertThat(Thread.currentThread()).isEqualTo(caller);
                heard.add(what);
              }
            });
    assertThat(heard)
        .containsExactlyInAnyOrder(
            "started a", "fetched a 40", "started b", "Failed b", "Accepted a")
        .endsWith("Accepted a")
        .containsSubsequence("started a", "fetched a 40")
        .containsSubsequence("started b", "Failed b");
  }

  @Test
  void aStoreThatFailsForOneSourceKeepsTheOthers() throws InterruptedException {
    Snapshots full =
        new Snapshots() {
          @Override
          public Set<String> sources() {
            return store.sources();
          }

          @Override
          public Optional<SnapshotContent> newest(String source) {
            return store.newest(source);
          }

          @Override
          public List<SnapshotContent> history(String source) {
            return store.history(source);
          }

          @Override
          public void put(SnapshotContent content) {
            if (content.source().equals("a")) {
              throw new CatalogException("the disk is full");
            }
            store.put(content);
          }
        };
    List<Report> reports =
        collector.collect(
            List.of(offline("a", () -> fetched(cloud())), offline("b", () -> fetched(cloud()))),
            full,
            false,
            Progress.SILENT);
    assertThat(reports.getFirst())
        .isInstanceOfSatisfying(
            Report.Failed.class,
            report -> assertThat(report.sentence()).isEqualTo("the disk is full"));
    assertThat(store.sources()).containsExactly("b");
  }

  @Test
  void twoSourcesOfOneNameAreAMistake() {
    OfferSource source = offline("a", () -> fetched(cloud()));
    assertThatIllegalArgumentException().isThrownBy(() -> collect(false, source, source));
  }

  private List<Report> collect(boolean force, OfferSource... sources) throws InterruptedException {
    return collector.collect(List.of(sources), store, force, Progress.SILENT);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException _) {
        // This source does not listen.
      }
    }
  }
}
