package dev.berth.catalog.gate;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.offers.Accelerator;
import dev.berth.model.offers.Accelerators;
import dev.berth.model.offers.CatalogItem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What machines of a kind usually cost. An accelerator is compared with all of its model, on spot
 * or on demand, whoever sells it. A machine without one is compared with the same type of the same
 * provider, since the smallest types are honestly many times cheaper for their size than others; a
 * type with few prices is compared by its size with all of its provider, and only a price that no
 * small type explains is held to be absurd.
 */
public final class Medians {
  /** Knows nothing; everything is usual. */
  public static final Medians NONE = new Medians(Map.of());

  /** Fewer prices do not say what is usual. */
  private static final int ENOUGH = 5;

  private static final double FAR_BELOW = 10;
  private static final double FAR_BELOW_FOR_ITS_SIZE = 100;

  /** How much memory costs about as much as one processor. */
  private static final double MIB_FOR_ONE_CPU = 8 * 1024;

  private static final double SMALLEST_SLICE = 1.0 / 32;

  private final Map<Kind, Double> medians;

  private Medians(Map<Kind, Double> medians) {
    this.medians = Map.copyOf(medians);
  }

  /** Of all items whose price is not zero. */
  public static Medians of(Iterable<CatalogItem> items) {
    Map<Kind, List<Double>> prices = new HashMap<>();
    for (CatalogItem item : items) {
      if (item.price() > 0) {
        for (Compared compared : comparisons(item)) {
          prices.computeIfAbsent(compared.kind(), _ -> new ArrayList<>()).add(compared.price());
        }
      }
    }
    Map<Kind, Double> medians = new HashMap<>();
    prices.forEach(
        (kind, all) -> {
          if (all.size() >= ENOUGH) {
            medians.put(kind, Figures.median(all));
          }
        });
    return new Medians(medians);
  }

  /** A sentence where the price is absurdly low. */
  Optional<String> farBelow(CatalogItem item) {
    for (Compared compared : comparisons(item)) {
      Double median = medians.get(compared.kind());
      if (median != null) {
        // The first kind that is known decides; the next is only for types with few prices.
        return compared.price() * compared.kind().scope().farBelow < median
            ? Optional.of(sentence(compared, median))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static String sentence(Compared compared, double median) {
    Kind kind = compared.kind();
    return Figures.shortly(compared.price())
        + " dollars an hour "
        + kind.scope().unit
        + " is "
        + Figures.shortly(median / compared.price())
        + " times less than the median "
        + Figures.shortly(median)
        + " of "
        + kind.name()
        + (kind.spot() ? " on spot" : " on demand");
  }

  private static List<Compared> comparisons(CatalogItem item) {
    CatalogItem.Gpu gpu = item.gpu();
    if (gpu != null) {
      Accelerator known = Accelerators.find(gpu.name()).orElse(null);
      double units = units(gpu, known);
      String name = known == null ? gpu.name().toUpperCase(Locale.ROOT) : known.name();
      return units == 0
          ? List.of()
          : List.of(
              new Compared(
                  new Kind(Scope.ACCELERATOR, "", name, item.spot()), item.price() / units));
    }
    double size = item.cpus() + item.memoryMib() / MIB_FOR_ONE_CPU;
    Kind type = new Kind(Scope.TYPE, item.provider(), item.instanceType(), item.spot());
    return size == 0
        ? List.of(new Compared(type, item.price()))
        : List.of(
            new Compared(type, item.price()),
            new Compared(
                new Kind(Scope.SIZE, item.provider(), item.provider(), item.spot()),
                item.price() / size));
  }

  /** How many whole accelerators there are; a slice counts by its memory. */
  private static double units(CatalogItem.Gpu gpu, @Nullable Accelerator known) {
    if (gpu.vendor() == AcceleratorVendor.GOOGLE) {
      // Slices of one model differ a thousandfold in size, and only their memory tells it.
      return gpu.totalMemoryMib() / 1024.0;
    }
    if (known == null || known.memoryGib().isEmpty() || gpu.memoryMib() == 0) {
      return gpu.count();
    }
    double whole = known.memoryGib().stream().mapToInt(Integer::intValue).min().orElseThrow();
    double part = gpu.memoryMib() / 1024.0 / whole;
    return gpu.count() * (part > 0.75 ? 1 : Math.max(part, SMALLEST_SLICE));
  }

  private enum Scope {
    ACCELERATOR("for each", FAR_BELOW),
    TYPE("for one", FAR_BELOW),
    SIZE("for a processor with 8 GB", FAR_BELOW_FOR_ITS_SIZE);

    private final String unit;
    private final double farBelow;

    Scope(String unit, double farBelow) {
      this.unit = unit;
      this.farBelow = farBelow;
    }
  }

  /**
   * What is compared with each other.
   *
   * @param provider empty where all providers are
   */
  private record Kind(Scope scope, String provider, String name, boolean spot) {}

  private record Compared(Kind kind, double price) {}
}
