package dev.berth.model;

import dev.berth.model.offers.CatalogItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a policy lets a run or a fleet be. It is kept with what was accepted, so that later tries
 * keep to it, too, whatever the server's file says by then. Lists are of patterns.
 *
 * @param policy the name of the policy
 * @param backends names or types of those that may be used; empty for all
 * @param regions those that may be used; empty for all
 * @param instanceTypes those that may be used; empty for all
 * @param deniesSpot whether interruptible machines may not be used
 * @param maxPrice dollars an hour that a new machine may cost; null for any
 * @param maxGpus how many accelerators a new machine may have; null for any
 */
public record PolicyBound(
    String policy,
    List<String> backends,
    List<String> regions,
    List<String> instanceTypes,
    List<String> deniedBackends,
    List<String> deniedRegions,
    List<String> deniedInstanceTypes,
    boolean deniesSpot,
    @Nullable Double maxPrice,
    @Nullable Integer maxGpus) {
  public PolicyBound {
    backends = List.copyOf(backends);
    regions = List.copyOf(regions);
    instanceTypes = List.copyOf(instanceTypes);
    deniedBackends = List.copyOf(deniedBackends);
    deniedRegions = List.copyOf(deniedRegions);
    deniedInstanceTypes = List.copyOf(deniedInstanceTypes);
  }

  /** Whether it keeps anything from being used. */
  public boolean bindsAnything() {
    return !(backends.isEmpty()
        && regions.isEmpty()
        && instanceTypes.isEmpty()
        && deniedBackends.isEmpty()
        && deniedRegions.isEmpty()
        && deniedInstanceTypes.isEmpty()
        && !deniesSpot
        && maxPrice == null
        && maxGpus == null);
  }

  /** Whether a backend may be used, by its name and its type. */
  public boolean permitsBackend(String name, String type) {
    return (backends.isEmpty()
            || Wildcards.anyMatches(backends, name)
            || Wildcards.anyMatches(backends, type))
        && !Wildcards.anyMatches(deniedBackends, name)
        && !Wildcards.anyMatches(deniedBackends, type);
  }

  /** Whether what was or can be bought may be used, whatever it costs. */
  public boolean permits(CatalogItem item) {
    return !(deniesSpot && item.spot())
        && isPermitted(regions, deniedRegions, item.region())
        && isPermitted(instanceTypes, deniedInstanceTypes, item.instanceType());
  }

  /** Whether an offer may be bought. */
  public boolean permitsBuying(CatalogItem item) {
    CatalogItem.Gpu gpu = item.gpu();
    return permits(item)
        && (maxPrice == null || item.price() <= maxPrice)
        && (maxGpus == null || gpu == null || gpu.count() <= maxGpus);
  }

  private static boolean isPermitted(List<String> allowed, List<String> denied, String word) {
    return (allowed.isEmpty() || Wildcards.anyMatches(allowed, word))
        && !Wildcards.anyMatches(denied, word);
  }
}
