package dev.berth.decisions;

import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.CreationPolicy;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TaskConfiguration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Something that a task asks of a place, and could ask for less of. */
public enum Constraint {
  BACKENDS("backends"),
  REGIONS("regions"),
  ZONES("availability_zones"),
  INSTANCE_TYPES("instance_types"),
  FLEETS("fleets"),
  INSTANCES("instances"),
  CREATION_POLICY("creation_policy"),
  RESERVATION("reservation"),
  SPOT_POLICY("spot_policy"),
  MAX_PRICE("max_price"),
  PRIVILEGED("privileged"),
  NODES("nodes"),
  CPUS("resources.cpu.count"),
  CPU_ARCHITECTURE("resources.cpu.arch"),
  MEMORY("resources.memory"),
  DISK("resources.disk"),
  GPU_COUNT("resources.gpu.count"),
  GPU_NAME("resources.gpu.name"),
  GPU_MEMORY("resources.gpu.memory"),
  GPU_TOTAL_MEMORY("resources.gpu.total_memory"),
  GPU_VENDOR("resources.gpu.vendor"),
  GPU_CAPABILITY("resources.gpu.compute_capability");

  /** Those that are about accelerators. */
  static final Set<Constraint> GPU =
      Set.of(GPU_COUNT, GPU_NAME, GPU_MEMORY, GPU_TOTAL_MEMORY, GPU_VENDOR, GPU_CAPABILITY);

  private final String path;

  Constraint(String path) {
    this.path = path;
  }

  /** The field of the file that says it. */
  public String path() {
    return path;
  }

  /** What a task asks for, whether it is written or a default. */
  public static Set<Constraint> of(TaskConfiguration task) {
    Set<Constraint> asked = EnumSet.noneOf(Constraint.class);
    for (Constraint constraint : values()) {
      if (constraint.isAskedBy(task)) {
        asked.add(constraint);
      }
    }
    return asked;
  }

  private boolean isAskedBy(TaskConfiguration task) {
    ProfileParams profile = task.profile();
    return switch (this) {
      case BACKENDS -> isFilled(profile.backends());
      case REGIONS -> isFilled(profile.regions());
      case ZONES -> isFilled(profile.availabilityZones());
      case INSTANCE_TYPES -> isFilled(profile.instanceTypes());
      case FLEETS -> isFilled(profile.fleets());
      case INSTANCES -> isFilled(profile.instances());
      case CREATION_POLICY -> profile.creationPolicy() == CreationPolicy.REUSE;
      case RESERVATION -> profile.reservation() != null;
      case SPOT_POLICY -> profile.spotPolicy() != SpotPolicy.AUTO;
      case MAX_PRICE -> profile.maxPrice() != null;
      case PRIVILEGED -> task.run().privileged();
      case NODES -> nodes(task) > 1;
      case CPUS -> ofCpu(task, cpu -> cpu.count() != null);
      case CPU_ARCHITECTURE -> ofCpu(task, cpu -> cpu.arch() != null);
      case MEMORY -> ofResources(task, resources -> resources.memory() != null);
      case DISK -> ofResources(task, resources -> resources.disk() != null);
      case GPU_COUNT -> ofGpu(task, _ -> true);
      case GPU_NAME -> ofGpu(task, gpu -> !gpu.name().isEmpty());
      case GPU_MEMORY -> ofGpu(task, gpu -> gpu.memory() != null);
      case GPU_TOTAL_MEMORY -> ofGpu(task, gpu -> gpu.totalMemory() != null);
      case GPU_VENDOR -> ofGpu(task, gpu -> gpu.vendor() != null);
      case GPU_CAPABILITY -> ofGpu(task, gpu -> gpu.computeCapability() != null);
    };
  }

  /** How many there are; a sum that no number can hold is no small one. */
  static int nodes(TaskConfiguration task) {
    List<NodeGroup> groups = task.groups();
    if (groups != null) {
      return groups.stream().map(NodeGroup::nodes).reduce(0, Math::addExact);
    }
    return task.nodes() == null ? 1 : task.nodes();
  }

  private static boolean isFilled(@Nullable List<?> list) {
    return list != null && !list.isEmpty();
  }

  private static boolean ofResources(TaskConfiguration task, Predicate<ResourcesSpec> test) {
    List<NodeGroup> groups = task.groups();
    return groups == null
        ? test.test(task.run().resources())
        : groups.stream().map(NodeGroup::resources).anyMatch(test);
  }

  private static boolean ofCpu(TaskConfiguration task, Predicate<CpuSpec> test) {
    return ofResources(task, resources -> resources.cpu() != null && test.test(resources.cpu()));
  }

  private static boolean ofGpu(TaskConfiguration task, Predicate<GpuSpec> test) {
    return ofResources(task, resources -> resources.gpu() != null && test.test(resources.gpu()));
  }
}
