package dev.berth.catalog.gate;

import static dev.berth.catalog.gate.Samples.cloud;
import static dev.berth.catalog.gate.Samples.cpu;
import static dev.berth.catalog.gate.Samples.plus;
import static dev.berth.catalog.gate.Samples.priced;
import static dev.berth.catalog.gate.Samples.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.SnapshotContent;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class DiffTest {
  @Test
  void equalSnapshotsDoNotDiffer() {
    CatalogDiff diff = Diff.between(snapshot(cloud()), snapshot(cloud().reversed()));
    assertThat(diff.isEmpty()).isTrue();
    assertThat(diff.unchanged()).isEqualTo(40);
  }

  @Test
  void eachKindOfChangeIsTold() {
    CatalogItem gone = cloud().get(0);
    CatalogItem cheaper = cloud().get(2);
    CatalogItem dearer = cloud().get(4);
    List<CatalogItem> after =
        plus(
            cloud().stream()
                .filter(item -> !List.of(gone, cheaper, dearer).contains(item))
                .toList(),
            priced(cheaper, cheaper.price() * 0.9),
            priced(dearer, dearer.price() * 1.2),
            cpu("brand-new", "east", false, 1));
    CatalogDiff diff = Diff.between(snapshot(cloud()), snapshot(after));
    assertThat(diff.added()).containsExactly(cpu("brand-new", "east", false, 1));
    assertThat(diff.removed()).containsExactly(gone);
    assertThat(diff.changed()).isEmpty();
    assertThat(diff.unchanged()).isEqualTo(37);
    assertThat(diff.repriced())
        .extracting(each -> Math.round(each.percent().orElseThrow()))
        .containsExactly(20L, -10L);
  }

  @Test
  void aMachineWithOtherDetailsIsChangedAndNotReplaced() {
    CatalogItem before = machine(8, 1.0);
    CatalogItem after = machine(16, 1.1);
    CatalogDiff diff = Diff.between(snapshot(List.of(before)), snapshot(List.of(after)));
    assertThat(diff.changed())
        .containsExactly(
            new CatalogDiff.Changed(before, after, List.of("price", "cpus", "memory")));
    assertThat(diff.added()).isEmpty();
    assertThat(diff.removed()).isEmpty();
  }

  @Test
  void twoSizesOfOneTypeAreKeptApart() {
    CatalogDiff diff =
        Diff.between(
            snapshot(List.of(machine(8, 1.0), machine(16, 2.0))),
            snapshot(List.of(machine(16, 2.0), machine(32, 4.0), machine(8, 1.5))));
    assertThat(diff.added()).containsExactly(machine(32, 4.0));
    assertThat(diff.repriced())
        .containsExactly(new CatalogDiff.Repriced(machine(8, 1.0), machine(8, 1.5)));
    assertThat(diff.unchanged()).isEqualTo(1);
  }

  @Test
  void aPriceThatBecameAbsurdIsRepriced() {
    CatalogItem first = cloud().getFirst();
    SnapshotContent free = snapshot(plus(cloud().subList(1, 40), priced(first, 0)));
    assertThat(Diff.between(snapshot(cloud()), free).repriced())
        .extracting(CatalogDiff.Repriced::percent)
        .containsExactly(OptionalDouble.of(-100));
    assertThat(Diff.between(free, snapshot(cloud())).repriced())
        .extracting(CatalogDiff.Repriced::percent)
        .containsExactly(OptionalDouble.empty());
  }

  @Test
  void pricesOverTimeHaveTheirLeastMostAndLastChange() {
    CatalogItem offer = cpu("m", "east", true, 1);
    OfferKey key = OfferKey.of(offer);
    List<SnapshotContent> snapshots =
        List.of(at(0, offer, 3), at(2, offer, 1), at(1, offer, 2), at(3, offer, 1));
    PriceHistory history = PriceHistory.of(snapshots, CatalogItem::spot);
    PriceHistory.Series series = history.find(key).orElseThrow();
    assertThat(series.points())
        .extracting(PriceHistory.Point::price)
        .containsExactly(3.0, 2.0, 1.0, 1.0);
    assertThat(series.min()).isEqualTo(1);
    assertThat(series.max()).isEqualTo(3);
    assertThat(series.median()).isEqualTo(1.5);
    assertThat(series.latest().time()).isEqualTo(Samples.NOON.plusSeconds(3));
    assertThat(series.lastChange())
        .contains(new PriceHistory.Point(Samples.NOON.plusSeconds(2), 1));
    assertThat(PriceHistory.of(snapshots, item -> !item.spot()).series()).isEmpty();
  }

  @Test
  void aSteadyPriceNeverChanged() {
    CatalogItem offer = cpu("m", "east", true, 1);
    PriceHistory history =
        PriceHistory.of(List.of(at(0, offer, 3), at(1, offer, 3)), CatalogItem::spot);
    assertThat(history.find(OfferKey.of(offer)).orElseThrow().lastChange()).isEmpty();
  }

  private static SnapshotContent at(int second, CatalogItem offer, double price) {
    return Cleaning.clean(
        "s",
        new OfferSource.Fetched(
            null, Samples.NOON.plusSeconds(second), List.of(priced(offer, price)), List.of()));
  }

  private static CatalogItem machine(int cpus, double price) {
    return new CatalogItem(
        "cloud",
        "custom",
        "east",
        null,
        price,
        cpus,
        CpuArchitecture.X86,
        cpus * 4096L,
        null,
        null,
        false,
        List.of(),
        "{}",
        List.of());
  }
}
