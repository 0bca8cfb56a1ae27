package dev.berth.catalog.gate;

import dev.berth.model.offers.CatalogItem;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What makes an offer the same one in two snapshots, whatever its price and other details are.
 *
 * @param gpu name of the accelerator; null for none. One type may be sold with several
 * @param flags in the order of the alphabet
 */
public record OfferKey(
    String provider,
    String instanceType,
    String region,
    @Nullable String zone,
    @Nullable String gpu,
    int gpuCount,
    boolean spot,
    List<String> flags)
    implements Comparable<OfferKey> {
  private static final Comparator<OfferKey> ORDER =
      Comparator.comparing(OfferKey::provider)
          .thenComparing(OfferKey::instanceType)
          .thenComparing(OfferKey::region)
          .thenComparing(OfferKey::zone, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(OfferKey::gpu, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparingInt(OfferKey::gpuCount)
          .thenComparing(OfferKey::spot)
          .thenComparing(key -> String.join(" ", key.flags()));

  public OfferKey {
    flags = inOrder(flags);
  }

  public static OfferKey of(CatalogItem item) {
    CatalogItem.Gpu gpu = item.gpu();
    return new OfferKey(
        item.provider(),
        item.instanceType(),
        item.region(),
        item.zone(),
        gpu == null ? null : gpu.name(),
        gpu == null ? 0 : gpu.count(),
        item.spot(),
        item.flags());
  }

  /** The item without its price and repairs: equal for rows that say the same of a machine. */
  static CatalogItem allButPrice(CatalogItem item) {
    return new CatalogItem(
        item.provider(),
        item.instanceType(),
        item.region(),
        item.zone(),
        0,
        item.cpus(),
        item.arch(),
        item.memoryMib(),
        item.gpu(),
        item.diskMib(),
        item.spot(),
        inOrder(item.flags()),
        item.providerData(),
        List.of());
  }

  private static List<String> inOrder(List<String> flags) {
    return flags.size() < 2 ? List.copyOf(flags) : flags.stream().sorted().toList();
  }

  @Override
  public int compareTo(OfferKey other) {
    return ORDER.compare(this, other);
  }
}
