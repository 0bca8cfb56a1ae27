package dev.berth.catalog.index;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Offers that have something in common.
 *
 * @param offers how many they are
 * @param price the least one
 * @param pricePerGpu the least one; null where none has an accelerator
 * @param spot whether one of them is spot
 * @param onDemand whether one of them is not
 * @param regions all regions that have one, sorted
 */
public record Group(
    Key key,
    long offers,
    double price,
    @Nullable Double pricePerGpu,
    boolean spot,
    boolean onDemand,
    List<String> regions) {
  static final Comparator<Group> ORDER =
      Comparator.comparingDouble(Group::price).thenComparing(Group::key, Key.ORDER);

  public Group {
    regions = List.copyOf(regions);
  }

  /**
   * What they have in common. What was not asked for is null.
   *
   * @param gpu null also for machines without accelerators
   * @param count 0 for machines without accelerators
   */
  public record Key(
      @Nullable String gpu,
      @Nullable String backend,
      @Nullable String region,
      @Nullable Integer count) {
    static final Comparator<Key> ORDER =
        Comparator.comparing(Key::gpu, Comparator.nullsFirst(Comparator.<String>naturalOrder()))
            .thenComparing(Key::backend, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(Key::region, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(Key::count, Comparator.nullsFirst(Comparator.naturalOrder()));
  }
}
