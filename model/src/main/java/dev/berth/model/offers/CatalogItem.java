package dev.berth.model.offers;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine that a provider sells, in one place, at one price.
 *
 * @param provider the name that the catalog has for the provider
 * @param zone the part of the region, where the price is one of it
 * @param price in US dollars an hour, for the whole machine
 * @param gpu null for a machine without accelerators
 * @param diskMib null where the size can be chosen or is not known
 * @param flags features that a client must know to use the offer
 * @param providerData what only the provider's backend understands, a JSON object
 * @param repairs what was corrected, a sentence each
 */
public record CatalogItem(
    String provider,
    String instanceType,
    String region,
    @Nullable String zone,
    double price,
    int cpus,
    CpuArchitecture arch,
    long memoryMib,
    @Nullable Gpu gpu,
    @Nullable Long diskMib,
    boolean spot,
    List<String> flags,
    String providerData,
    List<String> repairs) {
  public static final String NO_PROVIDER_DATA = "{}";

  public CatalogItem {
    requireText(provider, "provider");
    requireText(instanceType, "instance type");
    requireText(region, "region");
    if (!Double.isFinite(price) || price < 0) {
      throw new IllegalArgumentException("a price is a number that is not negative: " + price);
    }
    if (cpus < 0 || memoryMib < 0 || (diskMib != null && diskMib < 0)) {
      throw new IllegalArgumentException("cpus, memory and disk are not negative");
    }
    flags = List.copyOf(flags);
    repairs = List.copyOf(repairs);
  }

  /** The same with a disk of a size, at the price that it has with it. */
  public CatalogItem with(@Nullable Long newDiskMib, double newPrice) {
    return new CatalogItem(
        provider,
        instanceType,
        region,
        zone,
        newPrice,
        cpus,
        arch,
        memoryMib,
        gpu,
        newDiskMib,
        spot,
        flags,
        providerData,
        repairs);
  }

  /** The same in one zone, also where the offer was for several; null leaves it open. */
  public CatalogItem in(@Nullable String newZone) {
    return new CatalogItem(
        provider,
        instanceType,
        region,
        newZone,
        price,
        cpus,
        arch,
        memoryMib,
        gpu,
        diskMib,
        spot,
        flags,
        providerData,
        repairs);
  }

  private static void requireText(String text, String what) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("an offer has a " + what);
    }
  }

  /**
   * The accelerators of the machine, all of one model.
   *
   * @param memoryMib of each; of the whole slice for a TPU, whose count is 1
   */
  public record Gpu(AcceleratorVendor vendor, String name, int count, long memoryMib) {
    public Gpu {
      requireText(name, "name for its accelerator");
      if (count < 1 || memoryMib < 0) {
        throw new IllegalArgumentException(
            "accelerators have a count of at least 1 and a memory that is not negative");
      }
    }

    public long totalMemoryMib() {
      return Math.multiplyExact(memoryMib, (long) count);
    }
  }
}
