package dev.berth.catalog.index;

import dev.berth.catalog.CatalogOffer;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.places.Countries;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.Range;
import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions by looking at each offer, in the plainest way there is. The index is held
 * against it, so it shares no code with the index.
 */
record NaiveScan(List<CatalogOffer> all) {
  private static final Comparator<CatalogItem.Gpu> GPU_ORDER =
      Comparator.comparing(CatalogItem.Gpu::vendor)
          .thenComparing(CatalogItem.Gpu::name)
          .thenComparingInt(CatalogItem.Gpu::count)
          .thenComparingLong(CatalogItem.Gpu::memoryMib);

  /** Price, provider, type, region, zone, spot, then the rest as it comes. */
  private static final Comparator<CatalogOffer> ORDER =
      Comparator.<CatalogOffer>comparingDouble(offer -> offer.item().price())
          .thenComparing(offer -> offer.item().provider())
          .thenComparing(offer -> offer.item().instanceType())
          .thenComparing(offer -> offer.item().region())
          .thenComparing(offer -> offer.item().zone() != null)
          .thenComparing(offer -> Objects.requireNonNullElse(offer.item().zone(), ""))
          .thenComparing(offer -> offer.item().spot())
          .thenComparingInt(offer -> offer.item().cpus())
          .thenComparing(offer -> offer.item().arch())
          .thenComparingLong(offer -> offer.item().memoryMib())
          .thenComparing(offer -> offer.item().gpu(), Comparator.nullsFirst(GPU_ORDER))
          .thenComparingLong(offer -> offer.item().diskMib() == null ? -1L : offer.item().diskMib())
          .thenComparing(offer -> String.join("\u0000", offer.item().flags()))
          .thenComparing(offer -> offer.item().providerData())
          .thenComparing(offer -> String.join("\u0000", offer.item().repairs()))
          .thenComparing(CatalogOffer::source)
          .thenComparing(offer -> Objects.requireNonNullElse(offer.suspect(), ""));

  static NaiveScan of(Collection<SnapshotContent> contents) {
    List<CatalogOffer> all = new ArrayList<>();
    for (SnapshotContent content : contents) {
      content
          .offers()
          .forEach(
              item ->
                  all.add(new CatalogOffer(item, content.source(), content.collectedAt(), null)));
      content
          .suspects()
          .forEach(
              suspect ->
                  all.add(
                      new CatalogOffer(
                          suspect.item(),
                          content.source(),
                          content.collectedAt(),
                          suspect.reason())));
    }
    all.sort(ORDER);
    return new NaiveScan(all);
  }

  List<CatalogOffer> query(OfferFilter filter) {
    return all.stream().filter(offer -> matches(filter, offer)).toList();
  }

  List<Group> groups(OfferFilter filter, List<GroupKey> keys) {
    List<CatalogOffer> found = query(filter);
    Set<Group.Key> seen = new LinkedHashSet<>();
    found.forEach(offer -> seen.add(key(offer.item(), keys)));
    List<Group> groups = new ArrayList<>();
    for (Group.Key key : seen) {
      List<CatalogItem> of =
          found.stream()
              .map(CatalogOffer::item)
              .filter(item -> key(item, keys).equals(key))
              .toList();
      Double perGpu = null;
      TreeSet<String> regions = new TreeSet<>();
      for (CatalogItem item : of) {
        regions.add(item.region());
        if (item.gpu() != null) {
          double each = item.price() / item.gpu().count();
          perGpu = perGpu == null ? each : Math.min(perGpu, each);
        }
      }
      groups.add(
          new Group(
              key,
              of.size(),
              of.getFirst().price(),
              perGpu,
              of.stream().anyMatch(CatalogItem::spot),
              of.stream().anyMatch(item -> !item.spot()),
              List.copyOf(regions)));
    }
    groups.sort(
        Comparator.comparingDouble(Group::price)
            .thenComparing(group -> text(group.key().gpu()))
            .thenComparing(group -> text(group.key().backend()))
            .thenComparing(group -> text(group.key().region()))
            .thenComparingInt(group -> group.key().count() == null ? 0 : group.key().count()));
    return groups;
  }

  private static Group.Key key(CatalogItem item, List<GroupKey> keys) {
    CatalogItem.Gpu gpu = item.gpu();
    return new Group.Key(
        keys.contains(GroupKey.GPU) && gpu != null ? Accelerators.canonical(gpu.name()) : null,
        keys.contains(GroupKey.BACKEND) ? item.provider() : null,
        keys.contains(GroupKey.REGION) ? item.region() : null,
        keys.contains(GroupKey.COUNT) ? (gpu == null ? 0 : gpu.count()) : null);
  }

  /** The tests in the order of the rules; each says no or lets the next one speak. */
  private static boolean matches(OfferFilter filter, CatalogOffer offer) {
    CatalogItem item = offer.item();
    if (offer.suspect() != null && !filter.includeSuspect()) {
      return false;
    }
    if (!filter.providers().isEmpty() && !has(filter.providers(), item.provider())) {
      return false;
    }
    Range<Double> price = filter.price();
    if (price != null && price.min() != null && item.price() < price.min()) {
      return false;
    }
    if (price != null && price.max() != null && item.price() > price.max()) {
      return false;
    }
    if (filter.spot() != null && filter.spot() != item.spot()) {
      return false;
    }
    if (filter.arch() != null && filter.arch() != item.arch()) {
      return false;
    }
    if (filter.cpus() != null && !filter.cpus().contains(item.cpus())) {
      return false;
    }
    if (filter.memoryMib() != null && !filter.memoryMib().contains(item.memoryMib())) {
      return false;
    }
    if (!matchesGpu(filter.gpu(), item.gpu())) {
      return false;
    }
    if (filter.diskMib() != null
        && item.diskMib() != null
        && !filter.diskMib().contains(item.diskMib())) {
      return false;
    }
    if (filter.allowedFlags() != null
        && !item.flags().stream().allMatch(flag -> has(filter.allowedFlags(), flag))) {
      return false;
    }
    return (filter.instanceTypes().isEmpty() || has(filter.instanceTypes(), item.instanceType()))
        && matchesPlace(filter, item);
  }

  private static boolean matchesPlace(OfferFilter filter, CatalogItem item) {
    if (!filter.regions().isEmpty()
        && !has(filter.regions(), item.region())
        && !has(filter.regions(), item.zone())) {
      return false;
    }
    if (!filter.zones().isEmpty() && !has(filter.zones(), item.zone())) {
      return false;
    }
    return filter.countries().isEmpty()
        || has(filter.countries(), Countries.of(item.provider(), item.region()).orElse(null));
  }

  private static boolean matchesGpu(OfferFilter.Gpu wanted, CatalogItem.@Nullable Gpu gpu) {
    Range<Integer> count = wanted.count();
    if (gpu == null && count != null && count.min() != null && count.min() == 0) {
      return true;
    }
    if (count != null && !count.contains(gpu == null ? 0 : gpu.count())) {
      return false;
    }
    if (wanted.vendor() != null && (gpu == null || gpu.vendor() != wanted.vendor())) {
      return false;
    }
    if (!wanted.names().isEmpty()
        && (gpu == null || !hasName(wanted.names(), Accelerators.canonical(gpu.name())))) {
      return false;
    }
    if (wanted.memoryMib() != null
        && !wanted.memoryMib().contains(gpu == null ? 0 : gpu.memoryMib())) {
      return false;
    }
    if (wanted.totalMemoryMib() != null && !contains(wanted.totalMemoryMib(), total(gpu))) {
      return false;
    }
    return wanted.computeCapability() == null || isCapable(wanted.computeCapability(), gpu);
  }

  private static BigInteger total(CatalogItem.@Nullable Gpu gpu) {
    return gpu == null
        ? BigInteger.ZERO
        : BigInteger.valueOf(gpu.count()).multiply(BigInteger.valueOf(gpu.memoryMib()));
  }

  private static boolean isCapable(Range<ComputeCapability> wanted, CatalogItem.@Nullable Gpu gpu) {
    if (gpu == null || gpu.vendor() != AcceleratorVendor.NVIDIA) {
      return false;
    }
    return Accelerators.find(gpu.name())
        .filter(known -> known.computeCapability() != null)
        .filter(known -> wanted.contains(Objects.requireNonNull(known.computeCapability())))
        .isPresent();
  }

  private static boolean hasName(Set<String> wanted, String name) {
    for (String one : wanted) {
      if (lower(Accelerators.canonical(one)).equals(lower(name))) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(Range<Long> range, BigInteger value) {
    return (range.min() == null || value.compareTo(BigInteger.valueOf(range.min())) >= 0)
        && (range.max() == null || value.compareTo(BigInteger.valueOf(range.max())) <= 0);
  }

  private static boolean has(Set<String> wanted, @Nullable String word) {
    if (word != null) {
      for (String one : wanted) {
        if (lower(one).equals(lower(word))) {
          return true;
        }
      }
    }
    return false;
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
