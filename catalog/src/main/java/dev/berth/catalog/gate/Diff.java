package dev.berth.catalog.gate;

import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.SuspectItem;
import dev.berth.model.offers.CatalogItem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Compares two snapshots. Suspects take part, so that a price which became absurd shows as repriced
 * and not as removed. Offers that are equal in all but the price are matched first; of what is
 * left, those with equal keys are the same offer with other details.
 */
public final class Diff {
  private static final Comparator<CatalogItem> BY_KEY =
      Comparator.comparing(OfferKey::of).thenComparingDouble(CatalogItem::price);

  private final List<CatalogDiff.Repriced> repriced = new ArrayList<>();
  private final List<CatalogDiff.Changed> changed = new ArrayList<>();
  private long unchanged;

  private Diff() {}

  public static CatalogDiff between(SnapshotContent before, SnapshotContent after) {
    return new Diff().compare(before, after);
  }

  private CatalogDiff compare(SnapshotContent before, SnapshotContent after) {
    Map<CatalogItem, CatalogItem> old = byDetails(before);
    List<CatalogItem> fresh = new ArrayList<>();
    byDetails(after)
        .forEach(
            (details, item) -> {
              CatalogItem match = old.remove(details);
              if (match == null) {
                fresh.add(item);
              } else if (match.price() == item.price()) {
                unchanged++;
              } else {
                repriced.add(new CatalogDiff.Repriced(match, item));
              }
            });
    Map<OfferKey, Deque<CatalogItem>> left = new HashMap<>();
    old.values().stream()
        .sorted(BY_KEY)
        .forEach(
            item -> left.computeIfAbsent(OfferKey.of(item), _ -> new ArrayDeque<>()).add(item));
    List<CatalogItem> added = matchKeys(fresh, left);
    List<CatalogItem> removed =
        left.values().stream().flatMap(Deque::stream).sorted(BY_KEY).toList();
    repriced.sort(
        Comparator.<CatalogDiff.Repriced>comparingDouble(
                each -> -Math.abs(each.percent().orElse(Double.POSITIVE_INFINITY)))
            .thenComparing(CatalogDiff.Repriced::after, BY_KEY));
    return new CatalogDiff(added, removed, repriced, changed, unchanged);
  }

  private List<CatalogItem> matchKeys(
      List<CatalogItem> fresh, Map<OfferKey, Deque<CatalogItem>> left) {
    List<CatalogItem> added = new ArrayList<>();
    fresh.sort(BY_KEY);
    for (CatalogItem item : fresh) {
      Deque<CatalogItem> matches = left.get(OfferKey.of(item));
      if (matches == null || matches.isEmpty()) {
        added.add(item);
      } else {
        CatalogItem match = matches.remove();
        changed.add(new CatalogDiff.Changed(match, item, differences(match, item)));
      }
    }
    return added;
  }

  private static Map<CatalogItem, CatalogItem> byDetails(SnapshotContent content) {
    Map<CatalogItem, CatalogItem> items = new LinkedHashMap<>();
    // An offer stands for its details before a suspect that has the same ones does.
    Stream.concat(content.offers().stream(), content.suspects().stream().map(SuspectItem::item))
        .forEach(item -> items.putIfAbsent(OfferKey.allButPrice(item), item));
    return items;
  }

  private static List<String> differences(CatalogItem before, CatalogItem after) {
    List<String> fields = new ArrayList<>();
    addIf(fields, before.price() != after.price(), "price");
    addIf(fields, before.cpus() != after.cpus(), "cpus");
    addIf(fields, before.arch() != after.arch(), "arch");
    addIf(fields, before.memoryMib() != after.memoryMib(), "memory");
    addIf(fields, !Objects.equals(before.gpu(), after.gpu()), "gpu");
    addIf(fields, !Objects.equals(before.diskMib(), after.diskMib()), "disk");
    addIf(fields, !before.providerData().equals(after.providerData()), "provider data");
    return fields;
  }

  private static void addIf(List<String> fields, boolean differs, String field) {
    if (differs) {
      fields.add(field);
    }
  }
}
