package dev.berth.catalog.read;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.offers.Accelerator;
import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.CatalogItem.Gpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The accelerators of a row, with their name, vendor and memory as facts determine them. */
record AcceleratorReading(Gpu gpu, List<String> repairs) {
  /** Models that some catalogs call by the name of a smaller one; the memory tells them apart. */
  private static final Map<String, String> TOLD_BY_MEMORY =
      Map.of("RTX6000", "RTXPRO6000", "H100", "H100NVL");

  AcceleratorReading {
    repairs = List.copyOf(repairs);
  }

  /**
   * What a row says of its accelerators.
   *
   * @param vendor null where the row does not say
   * @param memoryMib of one; 0 where the row does not say
   * @param totalMib of all; 0 where the row does not say
   */
  record Stated(
      String name, @Nullable AcceleratorVendor vendor, int count, long memoryMib, long totalMib) {}

  /**
   * Corrects what a row says.
   *
   * @param smallestMeant whether a model without a word on its memory is the smallest of its sizes
   */
  static AcceleratorReading of(Stated stated, boolean smallestMeant) {
    List<String> repairs = new ArrayList<>();
    Optional<Accelerator> model = Accelerators.find(stated.name());
    List<Integer> sizes = model.map(Accelerator::memoryGib).orElse(List.of());
    OptionalInt size = Accelerators.statedMemoryGib(stated.name());
    if (size.isPresent()) {
      sizes = List.of(size.getAsInt());
    } else if (smallestMeant && stated.memoryMib() <= 0 && !sizes.isEmpty()) {
      sizes = sizes.subList(0, 1);
    }
    String name = Accelerators.canonical(stated.name());
    Optional<Accelerator> larger = larger(name, sizes, stated);
    if (larger.isPresent()) {
      name = larger.get().name();
      sizes = larger.get().memoryGib();
    }
    if (!name.equals(stated.name())) {
      repairs.add("accelerator " + stated.name() + " named " + name);
    }
    AcceleratorVendor vendor = vendor(model, stated, repairs);
    MemoryRepair memory =
        MemoryRepair.of(sizes, stated.memoryMib(), stated.totalMib(), stated.count());
    if (memory.repair() != null) {
      repairs.add(memory.repair());
    }
    return new AcceleratorReading(
        new Gpu(vendor, name, stated.count(), memory.memoryMib()), repairs);
  }

  private static Optional<Accelerator> larger(String name, List<Integer> sizes, Stated stated) {
    String other = TOLD_BY_MEMORY.get(name);
    if (other == null
        || MemoryRepair.nearest(sizes, stated.memoryMib()).isPresent()
        || MemoryRepair.nearest(sizes, stated.memoryMib() / stated.count()).isPresent()) {
      return Optional.empty();
    }
    return Accelerators.find(other)
        .filter(it -> MemoryRepair.nearest(it.memoryGib(), stated.memoryMib()).isPresent());
  }

  private static AcceleratorVendor vendor(
      Optional<Accelerator> model, Stated stated, List<String> repairs) {
    // As older catalogs have it: who says nothing means NVIDIA.
    AcceleratorVendor otherwise =
        stated.vendor() == null ? AcceleratorVendor.NVIDIA : stated.vendor();
    AcceleratorVendor vendor = model.map(Accelerator::vendor).orElse(otherwise);
    if (stated.vendor() == null) {
      repairs.add("vendor not stated, taken as " + word(vendor));
    } else if (vendor != stated.vendor()) {
      repairs.add("vendor " + word(stated.vendor()) + " corrected to " + word(vendor));
    }
    return vendor;
  }

  private static String word(AcceleratorVendor vendor) {
    return vendor.name().toLowerCase(Locale.ROOT);
  }
}
