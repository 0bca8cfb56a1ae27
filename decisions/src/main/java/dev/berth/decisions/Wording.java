package dev.berth.decisions;

import dev.berth.model.BackendKey;
import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.EntityReference;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.Size;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.PriceFormat;
import dev.berth.model.offers.SizeFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says in words what tasks ask for and what places have. */
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

  /** What a task asks for. */
  static String asked(Constraint constraint, TaskConfiguration task) {
    ProfileParams profile = task.profile();
    ResourcesSpec resources = resources(task);
    CpuSpec cpu = resources.cpu();
    GpuSpec gpu = resources.gpu();
    return switch (constraint) {
      case BACKENDS -> list(profile.backends());
      case REGIONS -> list(profile.regions());
      case ZONES -> list(profile.availabilityZones());
      case INSTANCE_TYPES -> list(profile.instanceTypes());
      case FLEETS ->
          list(
              profile.fleets() == null
                  ? null
                  : profile.fleets().stream().map(EntityReference::name).toList());
      case INSTANCES -> list(Requirements.wishes(task).machines().instances());
      case CREATION_POLICY -> "reuse";
      case RESERVATION -> String.valueOf(profile.reservation());
      case SPOT_POLICY ->
          profile.spotPolicy() == null
              ? "on-demand"
              : profile.spotPolicy().name().toLowerCase(Locale.ROOT).replace('_', '-');
      case MAX_PRICE ->
          "at most "
              + PriceFormat.dollars(Objects.requireNonNullElse(profile.maxPrice(), 0.0))
              + "/h";
      case PRIVILEGED -> "true";
      case NODES -> Constraint.nodes(task) + " nodes";
      case CPUS -> cpu == null ? "" : numbers(cpu.count());
      case CPU_ARCHITECTURE -> cpu == null ? "" : word(cpu.arch());
      case MEMORY -> sizes(resources.memory());
      case DISK -> resources.disk() == null ? "" : sizes(resources.disk().size());
      case GPU_COUNT -> gpu == null ? "" : numbers(gpu.count());
      case GPU_NAME -> gpu == null ? "" : list(gpu.name());
      case GPU_MEMORY -> gpu == null ? "" : sizes(gpu.memory());
      case GPU_TOTAL_MEMORY -> gpu == null ? "" : sizes(gpu.totalMemory());
      case GPU_VENDOR -> gpu == null ? "" : word(gpu.vendor());
      case GPU_CAPABILITY -> gpu == null ? "" : String.valueOf(gpu.computeCapability());
    };
  }

  /** Of groups, those of the first that says anything. */
  private static ResourcesSpec resources(TaskConfiguration task) {
    return task.groups() == null || task.groups().isEmpty()
        ? task.run().resources()
        : task.groups().getFirst().resources();
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
        .map(Instance.Device::name)
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(", ", machine.gpus().size() + " × ", ""));
  }

  private static String list(@Nullable List<String> words) {
    return words == null ? "" : String.join(", ", words);
  }

  private static String word(@Nullable Enum<?> value) {
    return value == null ? "" : value.name().toLowerCase(Locale.ROOT);
  }

  private static String numbers(@Nullable Range<Integer> range) {
    return range == null ? "" : range(String.valueOf(range.min()), String.valueOf(range.max()));
  }

  private static String sizes(@Nullable Range<Size> range) {
    if (range == null) {
      return "";
    }
    Size min = range.min();
    Size max = range.max();
    return range(
        min == null ? "null" : SizeFormat.ofMib(min.mib()),
        max == null ? "null" : SizeFormat.ofMib(max.mib()));
  }

  private static String range(String min, String max) {
    if (min.equals(max)) {
      return min;
    }
    return (min.equals("null") ? "" : min) + ".." + (max.equals("null") ? "" : max);
  }
}
