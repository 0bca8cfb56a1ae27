package dev.berth.catalog.index;

import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.OfferFilter;
import java.util.Collection;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A filter with its words in the form in which they are compared, made once for all snapshots.
 *
 * @param names of accelerators, each the name that all its spellings share
 */
record Question(
    OfferFilter filter,
    Set<String> names,
    Set<String> providers,
    Set<String> instanceTypes,
    Set<String> regions,
    Set<String> zones,
    Set<String> countries,
    @Nullable Set<String> flags) {
  static Question of(OfferFilter filter) {
    return new Question(
        filter,
        folded(filter.gpu().names(), Accelerators::canonical),
        folded(filter.providers()),
        folded(filter.instanceTypes()),
        folded(filter.regions()),
        folded(filter.zones()),
        folded(filter.countries()),
        filter.allowedFlags() == null ? null : folded(filter.allowedFlags()));
  }

  /** Whether it leaves open where an offer is. */
  boolean isOfAnyPlace() {
    return regions.isEmpty() && zones.isEmpty() && countries.isEmpty();
  }

  /** Whether it leaves open all but where an offer is and what it costs. */
  boolean isOfAnyShape() {
    return filter.gpu().equals(OfferFilter.Gpu.ANY)
        && providers.isEmpty()
        && instanceTypes.isEmpty()
        && filter.cpus() == null
        && filter.arch() == null
        && filter.memoryMib() == null
        && filter.diskMib() == null
        && filter.spot() == null
        && flags == null;
  }

  private static Set<String> folded(Collection<String> words) {
    return folded(words, UnaryOperator.identity());
  }

  private static Set<String> folded(Collection<String> words, UnaryOperator<String> first) {
    return words.isEmpty()
        ? Set.of()
        : words.stream().map(first).map(Words::folded).collect(Collectors.toUnmodifiableSet());
  }
}
