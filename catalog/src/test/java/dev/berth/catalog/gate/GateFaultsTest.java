package dev.berth.catalog.gate;

import static dev.berth.catalog.gate.Samples.NOON;
import static dev.berth.catalog.gate.Samples.SOURCE;
import static dev.berth.catalog.gate.Samples.cloud;
import static dev.berth.catalog.gate.Samples.cpu;
import static dev.berth.catalog.gate.Samples.each;
import static dev.berth.catalog.gate.Samples.gpu;
import static dev.berth.catalog.gate.Samples.plus;
import static dev.berth.catalog.gate.Samples.priced;
import static dev.berth.catalog.gate.Samples.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.berth.catalog.SnapshotContent;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults as sources really have them, each planted into an honest answer. */
class GateFaultsTest {
  private static final SnapshotContent BEFORE = snapshot(cloud());

  @Test
  void anHonestAnswerHasNoFindings() {
    assertThat(Gate.judge(BEFORE, snapshot(cloud()), List.of(), NOON).findings()).isEmpty();
    assertThat(Gate.judge(null, snapshot(cloud()), List.of(), NOON).findings()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusedFaults")
  void isRefusedByItsRule(String fault, Rule rule, List<CatalogItem> items, String sentence) {
    Verdict verdict = Gate.judge(BEFORE, snapshot(items), List.of(), NOON);
    assertThat(verdict.refused()).isTrue();
    assertThat(verdict.refusals()).containsExactly(new Finding(rule, sentence));
  }

  static Stream<Arguments> refusedFaults() {
    return Stream.of(
        arguments("empty", Rule.EMPTY, List.of(), "the source has no rows"),
        arguments(
            "zero prices everywhere",
            Rule.EMPTY,
            each(cloud(), item -> priced(item, 0)),
            "nothing of 40 rows can be used; 40 are suspect"),
        arguments(
            "less than half of the rows",
            Rule.FEWER_ROWS,
            cloud().subList(0, 19),
            "19 offers, where 40 were before"),
        arguments(
            "prices in thousandths",
            Rule.PRICE_CHANGE,
            each(cloud(), item -> priced(item, item.price() * 1000)),
            "prices rose 99900 % in the median of 40 offers that were there before"),
        arguments(
            "prices in hundreds",
            Rule.PRICE_CHANGE,
            each(cloud(), item -> priced(item, item.price() / 100)),
            "prices fell 99 % in the median of 40 offers that were there before"),
        arguments(
            "other types at other prices",
            Rule.PRICE_CHANGE,
            IntStream.range(0, 40)
                .mapToObj(index -> cpu("new-" + index, "east", false, 90))
                .toList(),
            "the median of all prices rose 2471 %, and no offer is the same as before to compare"
                + " with"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("warnedFaults")
  void isWarnedOfByItsRule(String fault, Rule rule, List<CatalogItem> items, String sentence) {
    Verdict verdict = Gate.judge(BEFORE, snapshot(items), List.of(), NOON);
    assertThat(verdict.refused()).isFalse();
    assertThat(verdict.findings()).containsExactly(new Finding(rule, sentence));
  }

  static Stream<Arguments> warnedFaults() {
    CatalogItem first = cloud().getFirst();
    return Stream.of(
        arguments(
            "a zero price",
            Rule.ZERO_PRICE,
            plus(cloud().subList(1, 40), priced(first, 0)),
            "1 offer, a100x1 in east: zero price: no provider gives machines away"),
        arguments(
            "an absurdly cheap row",
            Rule.FAR_BELOW_MEDIAN,
            plus(cloud().subList(1, 40), priced(first, 0.01)),
            "1 offer, a100x1 in east: far below the median: 0.01 dollars an hour for each is 200"
                + " times less than the median 2 of A100 on demand"),
        arguments(
            "spot above on-demand",
            Rule.SPOT_ABOVE_ON_DEMAND,
            each(
                cloud(),
                item -> item.equals(cpu("small", "east", true, 0.04)) ? priced(item, 0.11) : item),
            "1 offer, small in east: spot above on-demand: 0.11 dollars an hour, and 0.1 on"
                + " demand"),
        arguments(
            "a lost region",
            Rule.LOST_REGIONS,
            cloud().stream().filter(item -> !item.region().equals("north")).toList(),
            "no more offers in north"),
        arguments(
            "an unknown accelerator",
            Rule.UNKNOWN_GPUS,
            plus(
                cloud(),
                gpu("new", "east", false, 3, "Zeta9", 1),
                gpu("new", "west", false, 3, "Zeta9", 1)),
            "unknown GPUs: Zeta9 (2)"),
        arguments(
            "exact duplicates",
            Rule.DUPLICATES,
            plus(cloud(), first, cloud().get(1)),
            "2 rows said nothing new and merged with others"),
        arguments(
            "two prices for one offer",
            Rule.TWO_PRICES,
            plus(cloud(), priced(first, 2.5)),
            "1 row had a second price; the cheapest is kept"));
  }

  @Test
  void theSourcesOwnCheckRefuses() {
    Verdict verdict =
        Gate.judge(BEFORE, snapshot(cloud()), List.of("the region center is missing"), NOON);
    assertThat(verdict.findings())
        .containsExactly(new Finding(Rule.SOURCE_CHECK, "the region center is missing"));
    assertThat(verdict.refused()).isTrue();
  }

  @Test
  void oldPricesAreToldHoweverTheyCame() {
    Verdict verdict =
        Gate.judge(null, snapshot(cloud()), List.of(), NOON.plus(Duration.ofDays(31)));
    assertThat(verdict.findings())
        .containsExactly(new Finding(Rule.STALE, "the prices are 31 days old"));
  }

  @Test
  void pricesOlderThanThoseBeforeAreTold() {
    SnapshotContent older =
        Cleaning.clean(
            SOURCE, new OfferSource.Fetched(null, NOON.minusSeconds(60), cloud(), List.of()));
    assertThat(Gate.judge(BEFORE, older, List.of(), NOON).findings())
        .extracting(Finding::rule)
        .containsExactly(Rule.OLDER_THAN_PREVIOUS);
  }

  @Test
  void refusedRowsAreToldWithTheirReasons() {
    SnapshotContent next =
        Cleaning.clean(
            SOURCE,
            new OfferSource.Fetched(
                null, NOON, cloud(), List.of(new OfferSource.RefusedRow("a:1", "no region"))));
    assertThat(Gate.judge(BEFORE, next, List.of(), NOON).findings())
        .containsExactly(new Finding(Rule.REFUSED_ROWS, "1 row skipped: no region"));
  }

  @Test
  void aWrongUnitInTheSpotColumnIsRefusedThoughHalfOfThePricesStay() {
    List<CatalogItem> items = new ArrayList<>();
    for (int zone = 0; zone < 40; zone++) {
      items.add(cpu("m", "region-" + zone, false, 1));
      items.add(cpu("m", "region-" + zone, true, 0.3));
    }
    Verdict verdict =
        Gate.judge(
            snapshot(items),
            snapshot(each(items, item -> item.spot() ? priced(item, 0.003) : item)),
            List.of(),
            NOON);
    assertThat(verdict.findings())
        .containsExactly(
            new Finding(
                Rule.PRICE_CHANGE,
                "spot prices fell 99 % in the median of 40 offers that were there before"));
  }

  @Test
  void aFaultThatMakesRowsSuspectIsStillNamed() {
    Medians usual = Medians.of(cloud());
    SnapshotContent next =
        Cleaning.clean(
            SOURCE,
            Samples.fetched(each(cloud(), item -> priced(item, item.price() / 100))),
            usual);
    assertThat(Gate.judge(BEFORE, next, List.of(), NOON).refusals())
        .extracting(Finding::rule)
        .contains(Rule.PRICE_CHANGE);
  }

  @Test
  void exactlyHalfOfTheRowsAndExactlyHalfMoreArePassed() {
    assertThat(Gate.judge(BEFORE, snapshot(cloud().subList(0, 20)), List.of(), NOON).refused())
        .isFalse();
    SnapshotContent dearer = snapshot(each(cloud(), item -> priced(item, item.price() * 1.5)));
    assertThat(Gate.judge(BEFORE, dearer, List.of(), NOON).refused()).isFalse();
    SnapshotContent half = snapshot(each(cloud(), item -> priced(item, item.price() / 2)));
    assertThat(Gate.judge(BEFORE, half, List.of(), NOON).refused()).isFalse();
  }

  @Test
  void manySuspectsAreTold() {
    List<CatalogItem> items =
        each(cloud(), item -> item.instanceType().equals("small") ? priced(item, 0) : item);
    assertThat(Gate.judge(BEFORE, snapshot(items), List.of(), NOON).findings())
        .contains(new Finding(Rule.MANY_SUSPECTS, "8 of 40 offers are suspect"));
  }

  @Test
  void snapshotsOfDifferentSourcesAreNotCompared() {
    SnapshotContent other = Cleaning.clean("other", Samples.fetched(cloud()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gate.judge(BEFORE, other, List.of(), NOON));
  }
}
