package dev.berth.catalog.gate;

import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.offers.CatalogItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What offers cost over time. Prices that were suspect are among them, as they were; where one
 * snapshot has a key twice, with other details, the cheapest counts.
 */
public record PriceHistory(SortedMap<OfferKey, Series> series) {
  public PriceHistory {
    series = Collections.unmodifiableSortedMap(new TreeMap<>(series));
  }

  /** Of the items that are wanted, over snapshots in any order. */
  public static PriceHistory of(List<SnapshotContent> snapshots, Predicate<CatalogItem> wanted) {
    Map<OfferKey, List<Point>> points = new HashMap<>();
    for (SnapshotContent snapshot :
        snapshots.stream().sorted(Comparator.comparing(SnapshotContent::collectedAt)).toList()) {
      Map<OfferKey, Double> prices = new HashMap<>();
      Stream.concat(snapshot.offers().stream(), snapshot.suspects().stream().map(SuspectItem::item))
          .filter(wanted)
          .forEach(item -> prices.merge(OfferKey.of(item), item.price(), Math::min));
      prices.forEach(
          (key, price) ->
              points
                  .computeIfAbsent(key, _ -> new ArrayList<>())
                  .add(new Point(snapshot.collectedAt(), price)));
    }
    SortedMap<OfferKey, Series> series = new TreeMap<>();
    points.forEach((key, prices) -> series.put(key, new Series(prices)));
    return new PriceHistory(series);
  }

  public Optional<Series> find(OfferKey key) {
    return Optional.ofNullable(series.get(key));
  }

  /** What an offer cost at a time. */
  public record Point(Instant time, double price) {}

  /** The prices of one offer, the oldest first; a snapshot without the offer leaves a gap. */
  public record Series(List<Point> points) {
    public Series {
      points = List.copyOf(points);
      if (points.isEmpty()) {
        throw new IllegalArgumentException("an offer without a price has no history");
      }
    }

    public double min() {
      return points.stream().mapToDouble(Point::price).min().orElseThrow();
    }

    public double max() {
      return points.stream().mapToDouble(Point::price).max().orElseThrow();
    }

    /** Of the prices as they were seen, each snapshot counting once. */
    public double median() {
      return Figures.median(points.stream().map(Point::price).toList());
    }

    public Point latest() {
      return points.getLast();
    }

    /** The first point that has the price of today; empty where it never changed. */
    public Optional<Point> lastChange() {
      for (int i = points.size() - 1; i > 0; i--) {
        if (points.get(i).price() != points.get(i - 1).price()) {
          return Optional.of(points.get(i));
        }
      }
      return Optional.empty();
    }
  }
}
