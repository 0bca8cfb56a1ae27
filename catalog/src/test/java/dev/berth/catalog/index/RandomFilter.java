package dev.berth.catalog.index;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.Range;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Questions about offers, made of values that offers have, so that most find something. */
record RandomFilter(Random random, List<CatalogItem> items) {
  OfferFilter next() {
    return new OfferFilter(
        chance(20) ? words(CatalogItem::provider) : Set.of(),
        chance(20) ? words(item -> chance(70) ? item.region() : item.zone()) : Set.of(),
        chance(8) ? words(CatalogItem::zone) : Set.of(),
        chance(10) ? Set.of(chance(50) ? "us" : "US", "XX") : Set.of(),
        chance(10) ? words(CatalogItem::instanceType) : Set.of(),
        chance(25) ? range(CatalogItem::cpus) : null,
        chance(15) ? pick(List.of(CpuArchitecture.values())) : null,
        chance(25) ? range(CatalogItem::memoryMib) : null,
        chance(15) ? range(item -> item.diskMib() == null ? 100_000L : item.diskMib()) : null,
        chance(60) ? gpu() : OfferFilter.Gpu.ANY,
        chance(30) ? random.nextBoolean() : null,
        chance(40) ? range(CatalogItem::price) : null,
        chance(20) ? flags() : null,
        chance(30));
  }

  private OfferFilter.Gpu gpu() {
    return new OfferFilter.Gpu(
        chance(20) ? pick(List.of(AcceleratorVendor.values())) : null,
        chance(40) ? names() : Set.of(),
        chance(40) ? count() : null,
        chance(25) ? range(item -> item.gpu() == null ? 0L : item.gpu().memoryMib()) : null,
        chance(20) ? range(RandomFilter::total) : null,
        chance(20) ? capability() : null);
  }

  private static long total(CatalogItem item) {
    CatalogItem.Gpu gpu = item.gpu();
    return gpu == null || gpu.memoryMib() > 1L << 40 ? 0 : gpu.totalMemoryMib();
  }

  private Set<String> names() {
    Set<String> names = new HashSet<>(words(item -> item.gpu() == null ? "L4" : item.gpu().name()));
    if (chance(30)) {
      names.add(pick(List.of("rtx-pro-6000", "H100-SXM", "v5e", "none")));
    }
    return names;
  }

  private Range<Integer> count() {
    return chance(30)
        ? new Range<>(0, chance(50) ? null : random.nextInt(8))
        : range(item -> item.gpu() == null ? 0 : item.gpu().count());
  }

  private Range<ComputeCapability> capability() {
    ComputeCapability least = new ComputeCapability(7 + random.nextInt(4), random.nextInt(2));
    return switch (random.nextInt(3)) {
      case 0 -> Range.atLeast(least);
      case 1 -> new Range<>(null, least);
      default -> new Range<>(least, new ComputeCapability(12, 0));
    };
  }

  private Set<String> flags() {
    Set<String> flags = new HashSet<>();
    for (String flag : List.of("OCI-SPOT", "gcp-a4", "runpod-cpu", "other")) {
      if (chance(40)) {
        flags.add(flag);
      }
    }
    return flags;
  }

  private Set<String> words(Function<CatalogItem, @Nullable String> field) {
    Set<String> words = new HashSet<>();
    for (int i = chance(20) ? 30 : 1 + random.nextInt(3); i > 0; i--) {
      String word = Objects.requireNonNullElse(field.apply(pick(items)), "nowhere");
      words.add(chance(70) ? word : word.toUpperCase(Locale.ROOT));
    }
    return words;
  }

  private <T extends Comparable<T>> Range<T> range(Function<CatalogItem, T> field) {
    T one = field.apply(pick(items));
    T other = field.apply(pick(items));
    T min = one.compareTo(other) <= 0 ? one : other;
    T max = one.compareTo(other) <= 0 ? other : one;
    return switch (random.nextInt(4)) {
      case 0 -> Range.atLeast(max);
      case 1 -> new Range<>(null, min);
      case 2 -> Range.exactly(one);
      default -> new Range<>(min, max);
    };
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
