package dev.berth.model.offers;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.Range;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether one offer is what a filter asks for. Countries are not looked at. Pure. */
public final class OfferMatch {
  private OfferMatch() {}

  public static boolean matches(OfferFilter filter, CatalogItem item) {
    Boolean spot = filter.spot();
    return hasOrAny(filter.providers(), item.provider())
        && isWithin(filter.price(), item.price())
        && (spot == null || spot == item.spot())
        && (filter.arch() == null || filter.arch() == item.arch())
        && isWithin(filter.cpus(), item.cpus())
        && isWithin(filter.memoryMib(), item.memoryMib())
        && (item.diskMib() == null || isWithin(filter.diskMib(), item.diskMib()))
        && matches(filter.gpu(), item.gpu())
        && hasOrAny(filter.instanceTypes(), item.instanceType())
        && (hasOrAny(filter.regions(), item.region()) || has(filter.regions(), item.zone()))
        && hasOrAny(filter.zones(), item.zone())
        && (filter.allowedFlags() == null
            || item.flags().stream()
                .allMatch(flag -> has(Objects.requireNonNull(filter.allowedFlags()), flag)));
  }

  private static boolean matches(OfferFilter.Gpu wanted, CatalogItem.@Nullable Gpu gpu) {
    Range<Integer> count = wanted.count();
    if (gpu == null && count != null && Integer.valueOf(0).equals(count.min())) {
      return true;
    }
    return isWithin(count, gpu == null ? 0 : gpu.count())
        && (wanted.vendor() == null || (gpu != null && gpu.vendor() == wanted.vendor()))
        && (wanted.names().isEmpty()
            || (gpu != null
                && wanted.names().stream()
                    .anyMatch(
                        name ->
                            Accelerators.canonical(name)
                                .equalsIgnoreCase(Accelerators.canonical(gpu.name())))))
        && isWithin(wanted.memoryMib(), gpu == null ? 0 : gpu.memoryMib())
        && isWithin(wanted.totalMemoryMib(), gpu == null ? 0 : gpu.totalMemoryMib())
        && (wanted.computeCapability() == null || isCapable(wanted.computeCapability(), gpu));
  }

  private static boolean isCapable(Range<ComputeCapability> wanted, CatalogItem.@Nullable Gpu gpu) {
    return gpu != null
        && gpu.vendor() == AcceleratorVendor.NVIDIA
        && Accelerators.find(gpu.name())
            .map(Accelerator::computeCapability)
            .filter(wanted::contains)
            .isPresent();
  }

  private static <T extends Comparable<T>> boolean isWithin(@Nullable Range<T> range, T value) {
    return range == null || range.contains(value);
  }

  private static boolean hasOrAny(Collection<String> wanted, @Nullable String word) {
    return wanted.isEmpty() || has(wanted, word);
  }

  private static boolean has(Collection<String> wanted, @Nullable String word) {
    return word != null
        && wanted.stream()
            .anyMatch(one -> one.toLowerCase(Locale.ROOT).equals(word.toLowerCase(Locale.ROOT)));
  }
}
