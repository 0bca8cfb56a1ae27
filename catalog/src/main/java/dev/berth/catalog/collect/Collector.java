package dev.berth.catalog.collect;

import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.gate.Cleaning;
import dev.berth.catalog.gate.Gate;
import dev.berth.catalog.gate.Medians;
import dev.berth.catalog.gate.Verdict;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource;
import dev.berth.spi.OfferSource.RefusedRow;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Asks sources for their prices, all at the same time, and keeps what the gate believes. The store
 * is changed only when every source has answered or failed, so who interrupts a collection finds it
 * as it was, and each price is judged by what all sources say, whichever answers first.
 *
 * @param parallel how many sources are asked at once
 * @param deadline how long one source may take from when it is asked; it is interrupted then
 */
public record Collector(InstantSource clock, int parallel, Duration deadline) {
  /** More places do not help to find what is wrong with a file. */
  private static final int REFUSED_ROWS_TOLD = 20;

  public Collector {
    if (parallel < 1 || !deadline.isPositive()) {
      throw new IllegalArgumentException("at least one source is asked, for more than no time");
    }
  }

  /**
   * A report for each source, in the order of the sources.
   *
   * @param force whether snapshots are kept that the gate refuses
   * @throws InterruptedException where the thread was interrupted before the store was changed
   */
  public List<Report> collect(
      List<OfferSource> sources, Snapshots store, boolean force, Progress progress)
      throws InterruptedException {
    requireDifferentNames(sources);
    Map<String, Report> reports = new HashMap<>();
    Map<String, OfferSource.Fetched> answers = new HashMap<>();
    for (Fetching.Outcome outcome :
        new Fetching(parallel, deadline).all(sources, progress).values()) {
      switch (outcome) {
        case Fetching.Answered(String source, OfferSource.Fetched fetched) ->
            answers.put(source, fetched);
        case Fetching.Failed(Report.Failed report) -> reports.put(report.source(), report);
      }
    }
    Medians usual = usual(answers, store);
    List<Judged> judged = new ArrayList<>();
    for (OfferSource source : sources) {
      OfferSource.Fetched fetched = answers.get(source.name());
      if (fetched != null) {
        judged.add(judge(source, fetched, usual, store));
      }
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    for (Judged each : judged) {
      Report report = keep(each, store, force);
      progress.finished(report);
      reports.put(report.source(), report);
    }
    return sources.stream()
        .map(source -> Objects.requireNonNull(reports.get(source.name())))
        .toList();
  }

  private Judged judge(
      OfferSource source, OfferSource.Fetched fetched, Medians usual, Snapshots store) {
    String name = source.name();
    try {
      SnapshotContent next = Cleaning.clean(name, fetched, usual);
      SnapshotContent previous = store.newest(name).orElse(null);
      List<String> problems = source.check(next.offers());
      Verdict verdict = Gate.judge(previous, next, problems, clock.instant());
      List<RefusedRow> refused = fetched.refused();
      return new Weighed(
          next, verdict, refused.subList(0, Math.min(REFUSED_ROWS_TOLD, refused.size())));
    } catch (RuntimeException e) {
      return new Broken(new Report.Failed(name, Causes.sentence(e), e));
    }
  }

  private static Report keep(Judged judged, Snapshots store, boolean force) {
    return switch (judged) {
      case Broken(Report.Failed report) -> report;
      case Weighed(SnapshotContent next, Verdict verdict, List<RefusedRow> refused) -> {
        if (verdict.refused() && !force) {
          yield new Report.Refused(next.source(), next.accounting(), verdict);
        }
        try {
          store.put(next);
          yield new Report.Accepted(next.source(), next.accounting(), verdict, refused);
        } catch (RuntimeException e) {
          yield new Report.Failed(next.source(), Causes.sentence(e), e);
        }
      }
    };
  }

  /** By the answers, and by the snapshots of all who did not answer or were not asked. */
  private static Medians usual(Map<String, OfferSource.Fetched> answers, Snapshots store) {
    List<CatalogItem> items = new ArrayList<>();
    answers.values().forEach(answer -> items.addAll(answer.items()));
    for (String source : store.sources()) {
      if (!answers.containsKey(source)) {
        store.newest(source).ifPresent(content -> items.addAll(content.offers()));
      }
    }
    return Medians.of(items);
  }

  private static void requireDifferentNames(List<OfferSource> sources) {
    Set<String> names = new HashSet<>();
    for (OfferSource source : sources) {
      if (!names.add(source.name())) {
        throw new IllegalArgumentException("two sources have the name " + source.name());
      }
    }
  }

  /** An answer that was looked at. */
  private sealed interface Judged {}

  private record Weighed(SnapshotContent next, Verdict verdict, List<RefusedRow> refused)
      implements Judged {}

  private record Broken(Report.Failed report) implements Judged {}
}
