package dev.berth.model.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An offer, with where it comes from.
 *
 * @param backend the backend, or the name that the catalog has for the provider
 * @param price in US dollars an hour
 * @param availability available, busy, not_available, or unknown where only the catalog was asked
 * @param source the source that stated it
 * @param ageSeconds how long ago the source was asked
 * @param suspect whether its price is not trusted
 * @param suspectReason why
 * @param repairs what was corrected in what the source stated
 */
public record CatalogOfferView(
    String backend,
    String region,
    @Nullable String zone,
    String instanceType,
    int cpus,
    String arch,
    long memoryMib,
    @Nullable Gpu gpu,
    @Nullable Long diskMib,
    boolean spot,
    double price,
    String availability,
    String source,
    long ageSeconds,
    boolean suspect,
    @Nullable String suspectReason,
    List<String> repairs) {
  public CatalogOfferView {
    repairs = List.copyOf(repairs);
  }

  /** Its accelerators, all of one model. */
  public record Gpu(String vendor, String name, int count, long memoryMib) {}
}
