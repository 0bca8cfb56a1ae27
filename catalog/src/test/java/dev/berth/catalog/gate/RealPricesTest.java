package dev.berth.catalog.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How real prices are sorted: the faults that are known are found, and honest rows are not. */
class RealPricesTest {
  @Test
  void hardlyAnyHonestRowIsSuspect() throws IOException {
    Path folder = RealCatalogs.folder("gpuhunt-v3");
    Map<String, OfferSource.Fetched> answers = new TreeMap<>();
    try (Stream<Path> providers = Files.list(folder)) {
      for (Path provider : providers.toList()) {
        String name = provider.getFileName().toString();
        answers.put(name, RealCatalogs.published(name, provider.resolve("20260822-1/catalog.zip")));
      }
    }
    List<CatalogItem> all = new ArrayList<>();
    answers.values().forEach(answer -> all.addAll(answer.items()));
    Medians usual = Medians.of(all);

    List<SuspectItem> suspects = new ArrayList<>();
    long rows = 0;
    long duplicates = 0;
    long refused = 0;
    for (Map.Entry<String, OfferSource.Fetched> answer : answers.entrySet()) {
      SnapshotContent content = Cleaning.clean(answer.getKey(), answer.getValue(), usual);
      suspects.addAll(content.suspects());
      rows += content.accounting().rows();
      duplicates += content.accounting().duplicates();
      refused += content.accounting().refused().getOrDefault("no location", 0L);
    }
    assertThat(rows).isEqualTo(223_389);
    assertThat(duplicates).isEqualTo(7);
    assertThat(refused).isEqualTo(19);
    Map<PriceFault, Long> faults =
        suspects.stream()
            .collect(
                Collectors.groupingBy(
                    suspect -> PriceFault.of(suspect).orElseThrow(), Collectors.counting()));
    assertThat(faults)
        .isEqualTo(Map.of(PriceFault.FAR_BELOW_MEDIAN, 17L, PriceFault.SPOT_ABOVE_ON_DEMAND, 221L));
    assertThat(
            suspects.stream()
                .filter(suspect -> suspect.item().instanceType().startsWith("mithril:a100"))
                .map(SuspectItem::reason))
        .hasSize(8)
        .allMatch(reason -> reason.contains("of A100"));
  }
}
