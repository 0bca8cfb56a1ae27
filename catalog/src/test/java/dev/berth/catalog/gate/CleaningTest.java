package dev.berth.catalog.gate;

import static dev.berth.catalog.gate.Samples.cloud;
import static dev.berth.catalog.gate.Samples.cpu;
import static dev.berth.catalog.gate.Samples.fetched;
import static dev.berth.catalog.gate.Samples.gpu;
import static dev.berth.catalog.gate.Samples.plus;
import static dev.berth.catalog.gate.Samples.priced;
import static dev.berth.catalog.gate.Samples.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CleaningTest {
  @Test
  void anHonestAnswerStaysAsItIs() {
    SnapshotContent content = snapshot(cloud());
    assertThat(content.offers()).isEqualTo(cloud());
    assertThat(content.suspects()).isEmpty();
    assertThat(content.accounting()).isEqualTo(new Accounting(40, 40, 0, 0, 0, 0, Map.of()));
  }

  @Test
  void rowsThatAreThereTwiceAreMergedAndCounted() {
    CatalogItem first = cloud().getFirst();
    SnapshotContent content = snapshot(plus(cloud(), first, first));
    assertThat(content.offers()).isEqualTo(cloud());
    assertThat(content.accounting().duplicates()).isEqualTo(2);
    assertThat(content.accounting().rows()).isEqualTo(42);
  }

  @Test
  void ofTwoPricesTheCheaperStays() {
    CatalogItem first = cloud().getFirst();
    SnapshotContent content =
        snapshot(plus(cloud(), priced(first, 1.9), priced(first, 1.95), priced(first, 1.9)));
    assertThat(content.offers()).hasSize(40).contains(priced(first, 1.9)).doesNotContain(first);
    assertThat(content.accounting().repriced()).isEqualTo(2);
    assertThat(content.accounting().duplicates()).isEqualTo(1);
  }

  @Test
  void anAbsurdPriceNeverTakesThePlaceOfAnHonestOne() {
    CatalogItem first = cloud().getFirst();
    SnapshotContent content = snapshot(plus(cloud(), priced(first, 0), priced(first, 0.01)));
    assertThat(content.offers()).isEqualTo(cloud());
    // Both absurd prices are of one key, so the cheaper one stands for it.
    assertThat(content.suspects()).extracting(SuspectItem::item).containsExactly(priced(first, 0));
    assertThat(content.accounting().repriced()).isEqualTo(1);
  }

  @Test
  void nothingIsForFree() {
    SnapshotContent content = snapshot(plus(cloud(), cpu("free", "east", false, 0)));
    assertThat(content.offers()).hasSize(40);
    assertThat(content.suspects())
        .singleElement()
        .extracting(SuspectItem::reason)
        .isEqualTo("zero price: no provider gives machines away");
  }

  @Test
  void anAcceleratorIsComparedWithItsModelWhoeverSellsIt() {
    List<CatalogItem> auction = List.of(gpu("auction", "utah", false, 0.01, "A100", 1));
    assertThat(Cleaning.clean("auction", fetched(auction)).suspects()).isEmpty();

    Medians usual = Medians.of(plus(cloud(), auction.getFirst()));
    assertThat(Cleaning.clean("auction", fetched(auction), usual).suspects())
        .singleElement()
        .extracting(SuspectItem::reason)
        .isEqualTo(
            "far below the median: 0.01 dollars an hour for each is 200 times less than the median"
                + " 2 of A100 on demand");
  }

  @Test
  void aTenthOfTheMedianIsStillBelieved() {
    assertThat(snapshot(plus(cloud(), gpu("cheap", "east", false, 0.2, "A100", 1))).suspects())
        .isEmpty();
    assertThat(snapshot(plus(cloud(), gpu("cheap", "east", false, 0.19, "A100", 1))).suspects())
        .hasSize(1);
  }

  @Test
  void aSliceOfAnAcceleratorIsCheapForGoodReason() {
    CatalogItem slice =
        machine("vcg-4gb", new CatalogItem.Gpu(AcceleratorVendor.NVIDIA, "A100", 1, 4096), 0.12);
    assertThat(snapshot(plus(cloud(), slice)).suspects()).isEmpty();
    assertThat(snapshot(plus(cloud(), priced(slice, 0.001))).suspects()).hasSize(1);
  }

  @Test
  void slicesOfTpusAreComparedByTheirMemory() {
    List<CatalogItem> slices =
        IntStream.of(1, 4, 8, 64, 128, 256)
            .mapToObj(
                chips ->
                    machine(
                        "v5litepod-" + chips,
                        new CatalogItem.Gpu(
                            AcceleratorVendor.GOOGLE, "v5litepod", 1, chips * 16L * 1024),
                        1.2 * chips))
            .toList();
    assertThat(snapshot(slices).suspects()).isEmpty();
  }

  @Test
  void aSmallTypeIsComparedWithItselfElsewhere() {
    List<CatalogItem> nano =
        IntStream.range(0, 6)
            .mapToObj(zone -> cpu("nano", "region-" + zone, false, 0.001))
            .toList();
    assertThat(snapshot(plus(cloud(), nano.toArray(CatalogItem[]::new))).suspects()).isEmpty();
    assertThat(snapshot(plus(nano, cpu("nano", "odd", false, 0.00009))).suspects()).hasSize(1);
  }

  @Test
  void aTypeWithFewPricesIsComparedByItsSize() {
    List<CatalogItem> others =
        IntStream.range(0, 9).mapToObj(index -> cpu("type-" + index, "east", false, 0.2)).toList();
    assertThat(snapshot(plus(others, cpu("burst", "east", false, 0.0021))).suspects()).isEmpty();
    assertThat(snapshot(plus(others, cpu("burst", "east", false, 0.0019))).suspects()).hasSize(1);
  }

  @Test
  void spotAboveOnDemandIsSuspectAndEqualIsNot() {
    CatalogItem dear = gpu("a100x1", "new", true, 2.01, "A100", 1);
    CatalogItem same = gpu("a100x1", "new", true, 2.0, "A100", 1);
    CatalogItem onDemand = gpu("a100x1", "new", false, 2.0, "A100", 1);
    assertThat(snapshot(plus(cloud(), onDemand, same)).suspects()).isEmpty();
    assertThat(snapshot(plus(cloud(), onDemand, dear)).suspects())
        .containsExactly(
            new SuspectItem(dear, "spot above on-demand: 2.01 dollars an hour, and 2.0 on demand"));
  }

  @Test
  void spotInAZoneIsComparedWithTheRegionWhereTheZoneHasNoPrice() {
    CatalogItem region = machine("m", null, 1);
    CatalogItem zone = spotInZone("m", 1.5);
    assertThat(snapshot(List.of(region, zone)).suspects())
        .extracting(SuspectItem::item)
        .containsExactly(zone);
  }

  @Test
  void refusedRowsAreCountedByReason() {
    List<OfferSource.RefusedRow> refused =
        List.of(
            new OfferSource.RefusedRow("a.csv:2", "no region"),
            new OfferSource.RefusedRow("a.csv:3", "no region"),
            new OfferSource.RefusedRow("a.csv:9", "no price"));
    Accounting accounting =
        Cleaning.clean("s", new OfferSource.Fetched("7", Samples.NOON, cloud(), refused))
            .accounting();
    assertThat(accounting.rows()).isEqualTo(43);
    assertThat(accounting.refused()).isEqualTo(Map.of("no region", 2L, "no price", 1L));
  }

  @Test
  void countlessReasonsAreCountedTogether() {
    List<OfferSource.RefusedRow> refused =
        IntStream.range(0, 5000)
            .mapToObj(line -> new OfferSource.RefusedRow("a.csv:" + line, "bad value " + line))
            .toList();
    Accounting accounting =
        Cleaning.clean("s", new OfferSource.Fetched(null, Samples.NOON, List.of(), refused))
            .accounting();
    assertThat(accounting.refused()).hasSize(101).containsEntry("other reasons", 4900L);
  }

  private static CatalogItem machine(String type, CatalogItem.@Nullable Gpu gpu, double price) {
    return new CatalogItem(
        "cloud",
        type,
        "east",
        null,
        price,
        4,
        CpuArchitecture.X86,
        4096,
        gpu,
        null,
        false,
        List.of(),
        "{}",
        List.of());
  }

  private static CatalogItem spotInZone(String type, double price) {
    return new CatalogItem(
        "cloud",
        type,
        "east",
        "east-1",
        price,
        4,
        CpuArchitecture.X86,
        4096,
        null,
        null,
        true,
        List.of("some-spot"),
        "{}",
        List.of());
  }
}
