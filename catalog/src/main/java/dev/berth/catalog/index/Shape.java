package dev.berth.catalog.index;

import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.CatalogItem.Gpu;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All of an offer but its place and its price. A provider sells a few thousand of them in many
 * places, so a filter is judged once for each shape instead of once for each offer.
 */
record Shape(
    String provider,
    String instanceType,
    boolean spot,
    int cpus,
    CpuArchitecture arch,
    long memoryMib,
    @Nullable Gpu gpu,
    @Nullable Long diskMib,
    List<String> flags,
    String providerData,
    List<String> repairs) {
  private static final Comparator<Gpu> BY_MODEL =
      Comparator.comparing(Gpu::vendor).thenComparing(Gpu::name);
  private static final Comparator<Gpu> BY_GPU =
      BY_MODEL.thenComparingInt(Gpu::count).thenComparingLong(Gpu::memoryMib);
  private static final Comparator<List<String>> BY_WORDS =
      (left, right) -> Arrays.compare(left.toArray(new String[0]), right.toArray(new String[0]));

  /** Shapes of one model of accelerators follow each other; those without come first. */
  static final Comparator<Shape> ORDER =
      Comparator.comparing(Shape::gpu, Comparator.nullsFirst(BY_MODEL))
          .thenComparing(Shape::provider)
          .thenComparing(Shape::instanceType)
          .thenComparing(Shape::spot)
          .thenComparingInt(Shape::cpus)
          .thenComparing(Shape::arch)
          .thenComparingLong(Shape::memoryMib)
          .thenComparing(Shape::gpu, Comparator.nullsFirst(BY_GPU))
          .thenComparing(Shape::diskMib, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(Shape::flags, BY_WORDS)
          .thenComparing(Shape::providerData)
          .thenComparing(Shape::repairs, BY_WORDS);

  static Shape of(CatalogItem item) {
    return new Shape(
        item.provider(),
        item.instanceType(),
        item.spot(),
        item.cpus(),
        item.arch(),
        item.memoryMib(),
        item.gpu(),
        item.diskMib(),
        item.flags(),
        item.providerData(),
        item.repairs());
  }
}
