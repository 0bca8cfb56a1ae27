package dev.berth.model.offers;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.Range;
import dev.berth.model.config.Size;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which offers are asked for. What is null or empty asks for nothing; bounds are inclusive; words
 * compare without regard to case.
 *
 * @param providers names that the catalog has for providers
 * @param regions names of regions or of zones
 * @param zones names of zones
 * @param countries two letters each, as in ISO 3166
 * @param diskMib asked only of offers whose disk is known
 * @param allowedFlags an offer with a flag that is not among them does not match; null allows all
 * @param includeSuspect whether offers with an absurd price are shown too
 */
public record OfferFilter(
    Set<String> providers,
    Set<String> regions,
    Set<String> zones,
    Set<String> countries,
    Set<String> instanceTypes,
    @Nullable Range<Integer> cpus,
    @Nullable CpuArchitecture arch,
    @Nullable Range<Long> memoryMib,
    @Nullable Range<Long> diskMib,
    Gpu gpu,
    @Nullable Boolean spot,
    @Nullable Range<Double> price,
    @Nullable Set<String> allowedFlags,
    boolean includeSuspect) {
  /** Every offer that is not suspect. */
  public static final OfferFilter ANY =
      new OfferFilter(
          Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), null, null, null, null, Gpu.ANY, null,
          null, null, false);

  public OfferFilter {
    providers = ordered(providers);
    regions = ordered(regions);
    zones = ordered(zones);
    countries = ordered(countries);
    instanceTypes = ordered(instanceTypes);
    allowedFlags = allowedFlags == null ? null : ordered(allowedFlags);
  }

  /** A copy in the order in which people wrote it, so that it can be shown to them. */
  private static Set<String> ordered(Set<String> words) {
    return words.isEmpty() ? Set.of() : Collections.unmodifiableSet(new LinkedHashSet<>(words));
  }

  public OfferFilter withProviders(Set<String> newProviders) {
    return new OfferFilter(
        newProviders,
        regions,
        zones,
        countries,
        instanceTypes,
        cpus,
        arch,
        memoryMib,
        diskMib,
        gpu,
        spot,
        price,
        allowedFlags,
        includeSuspect);
  }

  public OfferFilter withZones(Set<String> newZones) {
    return new OfferFilter(
        providers,
        regions,
        newZones,
        countries,
        instanceTypes,
        cpus,
        arch,
        memoryMib,
        diskMib,
        gpu,
        spot,
        price,
        allowedFlags,
        includeSuspect);
  }

  /**
   * Which accelerators are asked for. An offer without accelerators counts as none, with no memory;
   * where the least count is written as 0, it matches whatever else is asked of accelerators.
   *
   * @param names any of them will do
   * @param computeCapability of NVIDIA accelerators; one that is not known never matches
   */
  public record Gpu(
      @Nullable AcceleratorVendor vendor,
      Set<String> names,
      @Nullable Range<Integer> count,
      @Nullable Range<Long> memoryMib,
      @Nullable Range<Long> totalMemoryMib,
      @Nullable Range<ComputeCapability> computeCapability) {
    public static final Gpu ANY = new Gpu(null, Set.of(), null, null, null, null);

    public Gpu {
      names = ordered(names);
    }

    /**
     * What a job asks of accelerators.
     *
     * @param eachMib the memory of each, which a name may say instead of the specification
     */
    public static Gpu of(GpuSpec spec, @Nullable Range<Long> eachMib) {
      ComputeCapability least = spec.computeCapability();
      return new Gpu(
          spec.vendor(),
          new LinkedHashSet<>(spec.name()),
          spec.count(),
          eachMib,
          Size.mib(spec.totalMemory()),
          least == null ? null : Range.atLeast(least));
    }
  }
}
