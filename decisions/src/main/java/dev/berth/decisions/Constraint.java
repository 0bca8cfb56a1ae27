package dev.berth.decisions;

import dev.berth.model.Container;
import dev.berth.model.Wishes;
import dev.berth.model.Work;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.spec.RunSpec;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Set;

/** Something that a run asks of a place, and could ask for less of. */
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

  /** What a run asks for, whether it is written or a default. */
  public static Set<Constraint> of(RunSpec run) {
    // Nodes that are alike are one and the same.
    Set<Wishes> wishes = Collections.newSetFromMap(new IdentityHashMap<>());
    run.nodes().stream().map(Work.Node::wishes).forEach(wishes::add);
    Set<Constraint> asked = EnumSet.noneOf(Constraint.class);
    for (Constraint constraint : values()) {
      if (constraint == NODES
          ? run.nodes().size() > 1
          : wishes.stream().anyMatch(constraint::isAskedBy)) {
        asked.add(constraint);
      }
    }
    return asked;
  }

  private boolean isAskedBy(Wishes wishes) {
    OfferFilter filter = wishes.filter();
    OfferFilter.Gpu gpu = filter.gpu();
    Wishes.Machines machines = wishes.machines();
    Container container = wishes.container();
    return switch (this) {
      case BACKENDS -> !wishes.backends().isEmpty();
      case REGIONS -> !filter.regions().isEmpty();
      case ZONES -> !filter.zones().isEmpty();
      case INSTANCE_TYPES -> !filter.instanceTypes().isEmpty();
      case FLEETS -> !machines.fleets().isEmpty();
      case INSTANCES -> !machines.instances().isEmpty();
      case CREATION_POLICY -> machines.reuseOnly();
      case RESERVATION -> machines.reservation() != null;
      case SPOT_POLICY -> filter.spot() != null;
      case MAX_PRICE -> filter.price() != null;
      case PRIVILEGED -> container != null && container.privileged();
      case NODES -> false;
      case CPUS -> filter.cpus() != null;
      case CPU_ARCHITECTURE -> filter.arch() != null;
      case MEMORY -> filter.memoryMib() != null;
      case DISK -> filter.diskMib() != null;
      case GPU_COUNT -> gpu.count() != null;
      case GPU_NAME -> !gpu.names().isEmpty();
      case GPU_MEMORY -> gpu.memoryMib() != null;
      case GPU_TOTAL_MEMORY -> gpu.totalMemoryMib() != null;
      case GPU_VENDOR -> gpu.vendor() != null;
      case GPU_CAPABILITY -> gpu.computeCapability() != null;
    };
  }
}
