package dev.berth.catalog.index;

import dev.berth.model.offers.ItemOrder;
import dev.berth.model.offers.OfferFilter;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The offers of several sources. It never changes, so any number of threads may ask it at once,
 * without waiting for each other.
 */
public final class Catalog {
  public static final Catalog EMPTY = new Catalog(List.of());

  /** The largest first: what it has to offer tells how far the others need to be looked at. */
  private final List<Snapshot> snapshots;

  private Catalog(List<Snapshot> snapshots) {
    this.snapshots =
        snapshots.stream()
            .sorted(
                Comparator.comparingInt(Snapshot::offers)
                    .reversed()
                    .thenComparing(Snapshot::source))
            .toList();
  }

  /** Puts snapshots together, one of each source. */
  public static Catalog of(Collection<Snapshot> snapshots) {
    Map<String, Snapshot> bySource = new TreeMap<>();
    for (Snapshot snapshot : snapshots) {
      if (bySource.put(snapshot.source(), snapshot) != null) {
        throw new IllegalArgumentException(
            "a catalog has one snapshot of each source, not two of " + snapshot.source());
      }
    }
    return new Catalog(List.copyOf(bySource.values()));
  }

  /** This catalog with a snapshot in place of the one of the same source, if there is one. */
  public Catalog with(Snapshot snapshot) {
    return new Catalog(Stream.concat(others(snapshot.source()), Stream.of(snapshot)).toList());
  }

  public Catalog without(String source) {
    return new Catalog(others(source).toList());
  }

  /** The snapshots, in the order of their sources. */
  public List<Snapshot> snapshots() {
    return snapshots.stream().sorted(Comparator.comparing(Snapshot::source)).toList();
  }

  public Optional<Snapshot> snapshot(String source) {
    return snapshots.stream().filter(found -> found.source().equals(source)).findFirst();
  }

  /**
   * Counts the offers that match and shows the first of them: cheapest first, equal prices in the
   * order of {@link ItemOrder}, equal items by source.
   */
  public QueryResult query(OfferFilter filter, int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("a limit is not negative: " + limit);
    }
    Query query = new Query(limit);
    return query.run(snapshots, filter);
  }

  /** Puts the offers that match together by keys; the group with the least price first. */
  public List<Group> groups(OfferFilter filter, List<GroupKey> keys) {
    return new Grouping(keys).run(snapshots, filter);
  }

  private Stream<Snapshot> others(String source) {
    return snapshots.stream().filter(found -> !found.source().equals(source));
  }
}
