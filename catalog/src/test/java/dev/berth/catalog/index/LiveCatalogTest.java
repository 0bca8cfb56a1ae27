package dev.berth.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.SnapshotContent;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveCatalogTest {
  private static final int SWAPS = 2000;

  @TempDir private Path folder;

  @Test
  void aQuerySeesOneStateWhileSourcesAreSwapped() throws Exception {
    // Each state has as many offers, and the price of all of them, as its version says.
    List<Snapshot> states =
        IntStream.rangeClosed(1, 4)
            .mapToObj(n -> Snapshot.write(folder.resolve(n + ".offers"), state("aws", n)))
            .toList();
    Snapshot other = Snapshot.write(folder.resolve("other.offers"), state("gcp", 3));
    LiveCatalog live = new LiveCatalog(Catalog.of(List.of(states.getFirst(), other)));
    AtomicBoolean swapped = new AtomicBoolean();
    List<Callable<Long>> work = new ArrayList<>();
    work.add(
        () -> {
          for (int i = 0; i < SWAPS; i++) {
            live.swap(states.get(i % states.size()));
          }
          swapped.set(true);
          return 0L;
        });
    for (int reader = 0; reader < 3; reader++) {
      work.add(() -> readUntil(swapped, live));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
      for (Future<Long> done : threads.invokeAll(work)) {
        done.get();
      }
    }
    assertThat(live.current().snapshot("aws")).contains(states.get((SWAPS - 1) % states.size()));
    live.remove("aws");
    assertThat(live.current().query(OfferFilter.ANY, 9).total()).isEqualTo(300);
    live.replace(Catalog.EMPTY);
    assertThat(live.current().query(OfferFilter.ANY, 9).total()).isZero();
  }

  private static long readUntil(AtomicBoolean swapped, LiveCatalog live) {
    long queries = 0;
    do {
      QueryResult all = live.current().query(OfferFilter.ANY, 1000);
      List<Double> prices =
          all.offers().stream()
              .filter(offer -> offer.source().equals("aws"))
              .map(offer -> offer.item().price())
              .toList();
      assertThat(all.total()).isEqualTo(all.offers().size()).isEqualTo(prices.size() + 300L);
      assertThat(prices).hasSize((int) (100 * prices.getFirst())).containsOnly(prices.getFirst());
      assertThat(live.current().groups(OfferFilter.ANY, List.of(GroupKey.BACKEND)))
          .allSatisfy(group -> assertThat(group.offers()).isEqualTo((long) (100 * group.price())));
      queries++;
    } while (!swapped.get());
    return queries;
  }

  private static SnapshotContent state(String source, int number) {
    List<CatalogItem> items =
        IntStream.range(0, 100 * number)
            .mapToObj(
                i ->
                    new CatalogItem(
                        source,
                        "type" + i % 7,
                        "region" + i % 11,
                        null,
                        number,
                        2,
                        CpuArchitecture.X86,
                        8192,
                        null,
                        null,
                        i % 2 == 0,
                        List.of(),
                        CatalogItem.NO_PROVIDER_DATA,
                        List.of()))
            .toList();
    return new SnapshotContent(
        source,
        String.valueOf(number),
        Instant.ofEpochSecond(number),
        new Accounting(items.size(), items.size(), 0, 0, 0, 0, Map.of()),
        items,
        List.of());
  }
}
