package dev.berth.catalog.gate;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.OfferSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a snapshot of what a source answered: merges what is said twice, and sets absurd prices
 * apart. Each item counts as a row, and so does each row that the source refused; nothing else is a
 * row here, although a file may have had a line for two items.
 *
 * <p>A price is judged before rows with equal keys are merged, so that an absurd price never takes
 * the place of an honest one.
 */
public final class Cleaning {
  /** More reasons are counted together, since a hostile file could have one for each line. */
  private static final int REASONS = 100;

  private static final String OTHER_REASONS = "other reasons";

  private final List<SuspectItem> suspects = new ArrayList<>();
  private long duplicates;
  private long repriced;

  private Cleaning() {}

  /** Cleans with the medians of the answer itself. */
  public static SnapshotContent clean(String source, OfferSource.Fetched fetched) {
    return clean(source, fetched, Medians.of(fetched.items()));
  }

  /**
   * Cleans with medians of more than the answer.
   *
   * @param usual what machines cost, by this answer and by all other sources
   */
  public static SnapshotContent clean(String source, OfferSource.Fetched fetched, Medians usual) {
    Cleaning cleaning = new Cleaning();
    List<CatalogItem> offers = cleaning.sort(fetched.items(), usual);
    List<SuspectItem> suspects = cleaning.suspects;
    long repaired =
        offers.stream().filter(item -> !item.repairs().isEmpty()).count()
            + suspects.stream().filter(suspect -> !suspect.item().repairs().isEmpty()).count();
    Accounting accounting =
        new Accounting(
            (long) fetched.items().size() + fetched.refused().size(),
            offers.size(),
            suspects.size(),
            repaired,
            cleaning.duplicates,
            cleaning.repriced,
            reasons(fetched.refused()));
    return new SnapshotContent(
        source, fetched.version(), fetched.collectedAt(), accounting, offers, suspects);
  }

  private List<CatalogItem> sort(List<CatalogItem> items, Medians usual) {
    Map<CatalogItem, CatalogItem> believed = new LinkedHashMap<>();
    Map<CatalogItem, CatalogItem> doubted = new LinkedHashMap<>();
    for (CatalogItem item : items) {
      keepCheapest(
          doubt(item, usual).isPresent() ? doubted : believed, OfferKey.allButPrice(item), item);
    }
    for (CatalogItem item : doubted.values()) {
      suspects.add(new SuspectItem(item, doubt(item, usual).orElseThrow()));
    }
    return withoutDearSpot(believed.values());
  }

  private void keepCheapest(Map<CatalogItem, CatalogItem> kept, CatalogItem key, CatalogItem item) {
    CatalogItem other = kept.putIfAbsent(key, item);
    if (other == null) {
      return;
    }
    if (other.price() == item.price()) {
      duplicates++;
    } else {
      repriced++;
      if (item.price() < other.price()) {
        kept.put(key, item);
      }
    }
  }

  private static Optional<String> doubt(CatalogItem item, Medians usual) {
    return item.price() == 0
        ? Optional.of(PriceFault.ZERO.reason("no provider gives machines away"))
        : usual.farBelow(item).map(PriceFault.FAR_BELOW_MEDIAN::reason);
  }

  private List<CatalogItem> withoutDearSpot(Collection<CatalogItem> believed) {
    Map<Machine, Double> onDemand = new HashMap<>();
    for (CatalogItem item : believed) {
      if (!item.spot()) {
        // Some are sold under several terms, told by flags; only more than any of them is absurd.
        onDemand.merge(Machine.of(item, item.zone()), item.price(), Math::max);
      }
    }
    List<CatalogItem> offers = new ArrayList<>(believed.size());
    for (CatalogItem item : believed) {
      Double limit = item.spot() ? onDemandPrice(onDemand, item) : null;
      if (limit != null && item.price() > limit) {
        suspects.add(
            new SuspectItem(
                item,
                PriceFault.SPOT_ABOVE_ON_DEMAND.reason(
                    item.price() + " dollars an hour, and " + limit + " on demand")));
      } else {
        offers.add(item);
      }
    }
    return offers;
  }

  private static @Nullable Double onDemandPrice(Map<Machine, Double> onDemand, CatalogItem spot) {
    Double inZone = onDemand.get(Machine.of(spot, spot.zone()));
    return inZone != null ? inZone : onDemand.get(Machine.of(spot, null));
  }

  private static Map<String, Long> reasons(List<OfferSource.RefusedRow> refused) {
    Map<String, Long> counts = new HashMap<>();
    for (OfferSource.RefusedRow row : refused) {
      boolean room = counts.size() < REASONS || counts.containsKey(row.reason());
      counts.merge(room ? row.reason() : OTHER_REASONS, 1L, Long::sum);
    }
    return counts;
  }

  /** The same machine in the same place, whatever the terms. */
  private record Machine(
      String provider,
      String instanceType,
      String region,
      @Nullable String zone,
      int cpus,
      long memoryMib,
      CatalogItem.@Nullable Gpu gpu) {
    static Machine of(CatalogItem item, @Nullable String zone) {
      return new Machine(
          item.provider(),
          item.instanceType(),
          item.region(),
          zone,
          item.cpus(),
          item.memoryMib(),
          item.gpu());
    }
  }
}
