package dev.berth.catalog.gate;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.CatalogItem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares a new snapshot with the one before it, and says whether to believe it. After a refusal
 * the snapshot before stays the one to compare with. Pure.
 */
public final class Gate {
  private static final Duration STALE = Duration.ofDays(30);

  /** So many names stand in one sentence; the rest is counted. */
  private static final int NAMES = 20;

  private final SnapshotContent next;
  private final List<Finding> findings = new ArrayList<>();

  private Gate(SnapshotContent next) {
    this.next = next;
  }

  /**
   * Judges one snapshot.
   *
   * @param previous null for the first snapshot of a source
   * @param sourceProblems what the source's own checks say of the new offers
   */
  public static Verdict judge(
      @Nullable SnapshotContent previous,
      SnapshotContent next,
      List<String> sourceProblems,
      Instant now) {
    Gate gate = new Gate(next);
    gate.judgeRows(previous);
    for (String problem : sourceProblems) {
      gate.add(Rule.SOURCE_CHECK, problem);
    }
    if (previous != null && !next.offers().isEmpty()) {
      gate.judgeRegions(previous);
    }
    gate.judgeGpus();
    gate.judgeAge(previous, now);
    gate.judgeSuspects();
    gate.judgeAccounting();
    return new Verdict(gate.findings);
  }

  private void judgeRows(@Nullable SnapshotContent previous) {
    int usable = next.offers().size();
    if (usable == 0) {
      long rows = next.accounting().rows();
      add(
          Rule.EMPTY,
          rows == 0
              ? "the source has no rows"
              : "nothing of " + Figures.count(rows, "row") + " can be used" + suspectsToo());
    } else if (previous != null && usable * 2L < previous.offers().size()) {
      add(
          Rule.FEWER_ROWS,
          Figures.count(usable, "offer")
              + ", where "
              + previous.offers().size()
              + " were before"
              + suspectsToo());
    }
    if (previous != null) {
      if (!previous.source().equals(next.source())) {
        throw new IllegalArgumentException(
            next.source() + " cannot be compared with " + previous.source());
      }
      PriceChange.tooMuch(previous, next).ifPresent(sentence -> add(Rule.PRICE_CHANGE, sentence));
    }
  }

  private String suspectsToo() {
    return next.suspects().isEmpty() ? "" : "; " + next.suspects().size() + " are suspect";
  }

  private void judgeRegions(SnapshotContent previous) {
    Set<String> lost = regions(previous.offers().stream());
    lost.removeAll(
        regions(
            Stream.concat(
                next.offers().stream(), next.suspects().stream().map(SuspectItem::item))));
    if (!lost.isEmpty()) {
      add(Rule.LOST_REGIONS, "no more offers in " + names(lost.stream()));
    }
  }

  private void judgeGpus() {
    Map<String, Integer> unknown = new TreeMap<>();
    Stream.concat(next.offers().stream(), next.suspects().stream().map(SuspectItem::item))
        .map(CatalogItem::gpu)
        .<CatalogItem.Gpu>mapMulti(
            (gpu, sink) -> {
              if (gpu != null) {
                sink.accept(gpu);
              }
            })
        .forEach(gpu -> unknown.merge(gpu.name(), 1, Integer::sum));
    unknown.keySet().removeIf(name -> Accelerators.find(name).isPresent());
    if (!unknown.isEmpty()) {
      add(
          Rule.UNKNOWN_GPUS,
          "unknown GPUs: "
              + names(
                  unknown.entrySet().stream()
                      .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")));
    }
  }

  private void judgeAge(@Nullable SnapshotContent previous, Instant now) {
    Duration age = Duration.between(next.collectedAt(), now);
    if (age.compareTo(STALE) > 0) {
      add(Rule.STALE, "the prices are " + age.toDays() + " days old");
    }
    if (previous != null && next.collectedAt().isBefore(previous.collectedAt())) {
      add(
          Rule.OLDER_THAN_PREVIOUS,
          "the prices are of "
              + next.collectedAt()
              + ", those before of "
              + previous.collectedAt());
    }
  }

  private void judgeSuspects() {
    Map<PriceFault, List<SuspectItem>> byFault = new EnumMap<>(PriceFault.class);
    for (SuspectItem suspect : next.suspects()) {
      PriceFault.of(suspect)
          .ifPresent(fault -> byFault.computeIfAbsent(fault, _ -> new ArrayList<>()).add(suspect));
    }
    byFault.forEach(
        (fault, suspects) -> {
          SuspectItem first = suspects.getFirst();
          add(
              rule(fault),
              Figures.count(suspects.size(), "offer")
                  + (suspects.size() == 1 ? ", " : ", the first is ")
                  + first.item().instanceType()
                  + " in "
                  + first.item().region()
                  + ": "
                  + first.reason());
        });
    long all = (long) next.offers().size() + next.suspects().size();
    if (next.suspects().size() * 10L > all) {
      add(Rule.MANY_SUSPECTS, next.suspects().size() + " of " + all + " offers are suspect");
    }
  }

  private void judgeAccounting() {
    Accounting accounting = next.accounting();
    if (accounting.duplicates() > 0) {
      add(
          Rule.DUPLICATES,
          Figures.count(accounting.duplicates(), "row")
              + " said nothing new and merged with others");
    }
    if (accounting.repriced() > 0) {
      add(
          Rule.TWO_PRICES,
          Figures.count(accounting.repriced(), "row")
              + " had a second price; the cheapest is kept");
    }
    if (!accounting.refused().isEmpty()) {
      add(
          Rule.REFUSED_ROWS,
          names(
              accounting.refused().entrySet().stream()
                  .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                  .map(
                      entry ->
                          Figures.count(entry.getValue(), "row") + " skipped: " + entry.getKey())));
    }
  }

  private static Rule rule(PriceFault fault) {
    return switch (fault) {
      case ZERO -> Rule.ZERO_PRICE;
      case FAR_BELOW_MEDIAN -> Rule.FAR_BELOW_MEDIAN;
      case SPOT_ABOVE_ON_DEMAND -> Rule.SPOT_ABOVE_ON_DEMAND;
    };
  }

  private static Set<String> regions(Stream<CatalogItem> items) {
    return items.map(CatalogItem::region).collect(Collectors.toCollection(TreeSet::new));
  }

  private static String names(Stream<String> all) {
    List<String> names = all.toList();
    return names.size() <= NAMES
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, NAMES)) + " and " + (names.size() - NAMES) + " more";
  }

  private void add(Rule rule, String sentence) {
    findings.add(new Finding(rule, sentence));
  }
}
