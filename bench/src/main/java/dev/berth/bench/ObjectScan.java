package dev.berth.bench;

import dev.berth.model.config.Range;
import dev.berth.model.offers.Accelerator;
import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The peer of our index: objects in the order of their prices, looked at one by one. It is as quick
 * as such a scan can be made with little effort: words are prepared once for each question, facts
 * once for all. It knows what our questions ask, and no more.
 */
final class ObjectScan {
  private final List<CatalogItem> items;
  private final Map<String, Optional<Accelerator>> facts = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();

  /** What a question found. */
  record Found(long total, List<CatalogItem> first) {}

  /** Takes items in the order of their prices. */
  ObjectScan(List<CatalogItem> items) {
    this.items = items;
    for (CatalogItem item : items) {
      CatalogItem.Gpu gpu = item.gpu();
      if (gpu != null && !names.containsKey(gpu.name())) {
        names.put(gpu.name(), lower(Accelerators.canonical(gpu.name())));
        facts.put(gpu.name(), Accelerators.find(gpu.name()));
      }
    }
  }

  Found query(OfferFilter filter, int limit) {
    Set<String> providers = lower(filter.providers());
    Set<String> regions = lower(filter.regions());
    Set<String> wanted =
        filter.gpu().names().stream()
            .map(name -> lower(Accelerators.canonical(name)))
            .collect(Collectors.toUnmodifiableSet());
    long total = 0;
    List<CatalogItem> first = new ArrayList<>();
    for (CatalogItem item : items) {
      if (within(filter.price(), item.price())
          && (filter.spot() == null || filter.spot() == item.spot())
          && within(filter.cpus(), item.cpus())
          && within(filter.memoryMib(), item.memoryMib())
          && matches(filter.gpu(), wanted, item.gpu())
          && (providers.isEmpty() || providers.contains(lower(item.provider())))
          && (regions.isEmpty() || regions.contains(lower(item.region())))) {
        total++;
        if (first.size() < limit) {
          first.add(item);
        }
      }
    }
    return new Found(total, first);
  }

  private boolean matches(
      OfferFilter.Gpu filter, Set<String> wanted, CatalogItem.@Nullable Gpu gpu) {
    if (gpu == null) {
      Range<Integer> count = filter.count();
      return (count != null && count.min() != null && count.min() == 0)
          || (filter.vendor() == null
              && wanted.isEmpty()
              && filter.computeCapability() == null
              && within(count, 0)
              && within(filter.memoryMib(), 0L)
              && within(filter.totalMemoryMib(), 0L));
    }
    return (filter.vendor() == null || filter.vendor() == gpu.vendor())
        && within(filter.count(), gpu.count())
        && (wanted.isEmpty() || wanted.contains(names.getOrDefault(gpu.name(), "")))
        && within(filter.memoryMib(), gpu.memoryMib())
        && within(filter.totalMemoryMib(), gpu.totalMemoryMib())
        && (filter.computeCapability() == null || isCapable(filter, gpu));
  }

  private boolean isCapable(OfferFilter.Gpu filter, CatalogItem.Gpu gpu) {
    return facts
        .getOrDefault(gpu.name(), Optional.empty())
        .map(Accelerator::computeCapability)
        .filter(known -> within(filter.computeCapability(), known))
        .isPresent();
  }

  private static <T extends Comparable<T>> boolean within(@Nullable Range<T> range, T value) {
    return range == null || range.contains(value);
  }

  private static Set<String> lower(Set<String> words) {
    return words.stream().map(ObjectScan::lower).collect(Collectors.toUnmodifiableSet());
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }
}
