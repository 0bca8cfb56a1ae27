package dev.berth.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.CatalogOffer;
import dev.berth.catalog.SnapshotContent;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index answers as a scan does that knows nothing of it. */
class QueryAgreementTest {
  /** Each is answered by a scan of all offers, too; a soak has time for more of them. */
  private static final int QUESTIONS = System.getProperty("berth.soak", "").isBlank() ? 300 : 3000;

  private static final List<List<GroupKey>> KEYS =
      List.of(
          List.of(GroupKey.GPU),
          List.of(GroupKey.GPU, GroupKey.COUNT),
          List.of(GroupKey.BACKEND),
          List.of(GroupKey.GPU, GroupKey.BACKEND, GroupKey.REGION, GroupKey.COUNT),
          List.of(GroupKey.REGION),
          List.of());

  @TempDir private Path folder;

  @Test
  void onRandomOffers() {
    Random random = Seed.random("QueryAgreementTest.onRandomOffers");
    for (int round = 0; round < 10; round++) {
      List<SnapshotContent> contents = new ArrayList<>();
      for (int source = 0; source < 1 + random.nextInt(3); source++) {
        contents.add(
            new RandomContent(random)
                .content("source" + source, 1 + random.nextInt(600), random.nextInt(50)));
      }
      ask(random, contents, QUESTIONS / 10, 5);
    }
  }

  @Test
  void onPublishedOffers() throws Exception {
    ask(Seed.random("QueryAgreementTest.onPublishedOffers"), RealOffers.contents(), QUESTIONS, 100);
  }

  @Test
  void onPublishedOffersOfOneSource() throws Exception {
    List<CatalogItem> all =
        RealOffers.contents().stream().flatMap(content -> content.offers().stream()).toList();
    SnapshotContent first = RealOffers.contents().getFirst();
    SnapshotContent together =
        new SnapshotContent("all", null, first.collectedAt(), first.accounting(), all, List.of());
    Random random = Seed.random("QueryAgreementTest.onPublishedOffersOfOneSource");
    ask(random, List.of(together), QUESTIONS / 5, 100);
  }

  private void ask(
      Random random, List<SnapshotContent> contents, int questions, int questionsForEachGrouping) {
    List<Snapshot> snapshots = new ArrayList<>();
    for (SnapshotContent content : contents) {
      snapshots.add(Snapshot.write(folder.resolve(content.source()), content));
    }
    Catalog catalog = Catalog.of(snapshots);
    NaiveScan naive = NaiveScan.of(contents);
    RandomFilter filters =
        new RandomFilter(random, naive.all().stream().map(CatalogOffer::item).toList());
    for (int i = 0; i < questions; i++) {
      OfferFilter filter = filters.next();
      List<CatalogOffer> expected = naive.query(filter);
      int limit = random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(150);
      QueryResult found = catalog.query(filter, limit);
      assertThat(found.total()).as("%s", filter).isEqualTo(expected.size());
      List<CatalogOffer> first = expected.subList(0, Math.min(limit, expected.size()));
      assertThat(found.offers().equals(first)).as("first %s of %s", limit, filter).isTrue();
      if (i % questionsForEachGrouping == 0) {
        for (List<GroupKey> keys : KEYS) {
          if (expected.size() < 20_000 || keys.size() < 3) {
            assertThat(catalog.groups(filter, keys))
                .as("%s by %s", filter, keys)
                .isEqualTo(naive.groups(filter, keys));
          }
        }
      }
    }
  }
}
