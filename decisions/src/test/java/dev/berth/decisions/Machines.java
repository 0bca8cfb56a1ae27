package dev.berth.decisions;

import dev.berth.model.Accelerator;
import dev.berth.model.Instance;
import dev.berth.model.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Machines for tests. */
final class Machines {
  static final String BACKEND = "here";
  static final double PRICE = 1.5;

  private Machines() {}

  /** Room for everything. */
  static Instance large(String id) {
    return machine(id, new ResourceVector(32, 16, 65_536, 500_000, devices()), List.of());
  }

  static Instance withSlots(String id, int slots) {
    return machine(id, new ResourceVector(slots, 16, 65_536, 500_000, devices()), List.of());
  }

  static Instance withGpus(String id, Accelerator... gpus) {
    return machine(id, new ResourceVector(32, 16, 65_536, 500_000, devices(gpus)), List.of(gpus));
  }

  static Instance machine(String id, ResourceVector capacity, List<Accelerator> gpus) {
    return new Instance(
        id, "", id, BACKEND, "", Instance.Status.IDLE, capacity, gpus, Map.of(), PRICE);
  }

  static Accelerator gpu(String id, String name, long memoryMib) {
    return new Accelerator(id, "nvidia", name, memoryMib);
  }

  private static Set<String> devices(Accelerator... gpus) {
    return Stream.of(gpus).map(Accelerator::id).collect(Collectors.toSet());
  }
}
