package dev.berth.decisions;

import dev.berth.model.Accelerator;
import dev.berth.model.BackendKey;
import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import dev.berth.model.Wishes;
import dev.berth.model.config.Range;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.offers.PriceFormat;
import dev.berth.model.offers.SizeFormat;
import dev.berth.model.spec.RunSpec;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says in words what runs ask for and what places have. */
final class Wording {
  private Wording() {}

  static String place(String name, double price) {
    return name + (price == 0 ? " for free" : " for " + PriceFormat.perHour(price));
  }

  static String name(Traced traced) {
    Instance machine = traced.machine();
    if (machine != null) {
      return BackendKey.name(machine.backend()) + "/" + machine.name();
    }
    Candidate offer = Objects.requireNonNull(traced.offer());
    CatalogItem item = offer.item();
    return BackendKey.name(offer.backend())
        + "/"
        + (item.zone() == null ? item.region() : item.zone())
        + "/"
        + item.instanceType()
        + (item.spot() ? " (spot)" : "");
  }

  /** What a run asks for; of different nodes, the first. */
  static String asked(Constraint constraint, RunSpec run) {
    Wishes wishes = run.first().wishes();
    OfferFilter filter = wishes.filter();
    OfferFilter.Gpu gpu = filter.gpu();
    Wishes.Machines machines = wishes.machines();
    return switch (constraint) {
      case BACKENDS -> list(wishes.backends());
      case REGIONS -> list(filter.regions());
      case ZONES -> list(filter.zones());
      case INSTANCE_TYPES -> list(filter.instanceTypes());
      case FLEETS -> list(machines.fleets());
      case INSTANCES -> list(machines.instances());
      case CREATION_POLICY -> "reuse";
      case RESERVATION -> String.valueOf(machines.reservation());
      case SPOT_POLICY -> Boolean.TRUE.equals(filter.spot()) ? "spot" : "on-demand";
      case MAX_PRICE -> "at most " + PriceFormat.dollars(most(filter.price())) + "/h";
      case PRIVILEGED -> "true";
      case NODES -> run.nodes().size() + " nodes";
      case CPUS -> numbers(filter.cpus());
      case CPU_ARCHITECTURE -> word(filter.arch());
      case MEMORY -> sizes(filter.memoryMib());
      case DISK -> sizes(filter.diskMib());
      case GPU_COUNT -> numbers(gpu.count());
      case GPU_NAME -> list(gpu.names());
      case GPU_MEMORY -> sizes(gpu.memoryMib());
      case GPU_TOTAL_MEMORY -> sizes(gpu.totalMemoryMib());
      case GPU_VENDOR -> word(gpu.vendor());
      case GPU_CAPABILITY ->
          gpu.computeCapability() == null ? "" : String.valueOf(gpu.computeCapability().min());
    };
  }

  private static double most(@Nullable Range<Double> price) {
    Double most = price == null ? null : price.max();
    return most == null ? 0 : most;
  }

  /** What a place has of what is asked for; empty where there is no short word for it. */
  static String has(Constraint constraint, Traced traced) {
    Instance machine = traced.machine();
    CatalogItem item = traced.offer() == null ? bought(machine) : traced.offer().item();
    return switch (constraint) {
      case CPUS -> cpus(traced) + " cpus";
      case CPU_ARCHITECTURE -> item == null ? "" : word(item.arch());
      case MEMORY -> SizeFormat.ofMib(memory(traced));
      case DISK -> {
        Long disk = item != null ? item.diskMib() : machine == null ? null : machineDisk(machine);
        yield disk == null ? "" : SizeFormat.ofMib(disk);
      }
      case GPU_COUNT, GPU_NAME, GPU_MEMORY, GPU_TOTAL_MEMORY, GPU_VENDOR, GPU_CAPABILITY ->
          gpus(machine, item);
      case SPOT_POLICY -> item == null ? "" : item.spot() ? "spot" : "on-demand";
      case MAX_PRICE -> PriceFormat.perHour(traced.price());
      case BACKENDS,
          REGIONS,
          ZONES,
          INSTANCE_TYPES,
          FLEETS,
          INSTANCES,
          CREATION_POLICY,
          RESERVATION,
          PRIVILEGED,
          NODES ->
          "";
    };
  }

  private static @Nullable CatalogItem bought(@Nullable Instance machine) {
    return machine == null || machine.purchase() == null ? null : machine.purchase().offer();
  }

  private static long machineDisk(Instance machine) {
    return machine.capacity().diskMib();
  }

  static int cpus(Traced traced) {
    return traced.offer() != null
        ? traced.offer().item().cpus()
        : Objects.requireNonNull(traced.machine()).capacity().cpus();
  }

  static long memory(Traced traced) {
    return traced.offer() != null
        ? traced.offer().item().memoryMib()
        : Objects.requireNonNull(traced.machine()).capacity().memoryMib();
  }

  private static String gpus(@Nullable Instance machine, @Nullable CatalogItem item) {
    CatalogItem.Gpu gpu = item == null ? null : item.gpu();
    if (gpu != null) {
      return gpu.count() + " × " + gpu.name() + " with " + SizeFormat.ofMib(gpu.memoryMib());
    }
    if (machine == null || machine.gpus().isEmpty()) {
      return "no GPU";
    }
    return machine.gpus().stream()
        .map(Accelerator::name)
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(", ", machine.gpus().size() + " × ", ""));
  }

  private static String list(Collection<String> words) {
    return String.join(", ", words);
  }

  private static String word(@Nullable Enum<?> value) {
    return value == null ? "" : value.name().toLowerCase(Locale.ROOT);
  }

  private static String numbers(@Nullable Range<Integer> range) {
    return range == null ? "" : range(String.valueOf(range.min()), String.valueOf(range.max()));
  }

  private static String sizes(@Nullable Range<Long> mib) {
    if (mib == null) {
      return "";
    }
    Long min = mib.min();
    Long max = mib.max();
    return range(
        min == null ? "null" : SizeFormat.ofMib(min), max == null ? "null" : SizeFormat.ofMib(max));
  }

  private static String range(String min, String max) {
    if (min.equals(max)) {
      return min;
    }
    return (min.equals("null") ? "" : min) + ".." + (max.equals("null") ? "" : max);
  }
}
