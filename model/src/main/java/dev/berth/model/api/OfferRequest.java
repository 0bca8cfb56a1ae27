package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which offers are asked for, in the words of configuration files. What is null or empty asks for
 * nothing.
 *
 * @param gpu as in {@code resources.gpu}, such as {@code A100:80GB:2}
 * @param cpu as in {@code resources.cpu}, such as {@code arm:4..}
 * @param spot true for spot only, false for on-demand only
 * @param backends types of backends, or the names that catalogs have for providers
 * @param regions regions or zones
 * @param countries two letters each
 * @param maxOffers null for all
 * @param groupBy any of gpu, backend, region, count
 */
public record OfferRequest(
    @Nullable String gpu,
    @Nullable String cpu,
    @Nullable String memory,
    @Nullable String disk,
    @Nullable Boolean spot,
    @Nullable Double maxPrice,
    List<String> backends,
    List<String> regions,
    List<String> countries,
    List<String> instanceTypes,
    boolean includeSuspect,
    @Nullable Integer maxOffers,
    List<String> groupBy) {
  public OfferRequest {
    backends = copied(backends);
    regions = copied(regions);
    countries = copied(countries);
    instanceTypes = copied(instanceTypes);
    groupBy = copied(groupBy);
  }

  /** A client may leave lists out. */
  private static List<String> copied(@Nullable List<String> list) {
    return list == null ? List.of() : List.copyOf(list);
  }
}
