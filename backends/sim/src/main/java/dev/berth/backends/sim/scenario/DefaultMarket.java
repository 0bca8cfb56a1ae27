package dev.berth.backends.sim.scenario;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a cloud sells whose scenario does not say. */
final class DefaultMarket {
  static final List<Region> REGIONS =
      List.of(region("sim-north"), region("sim-south"), region("sim-west"));

  static final List<String> NETWORKS = List.of("main", "isolated");

  static final List<InstanceType> TYPES =
      List.of(
          type("sim-cpu-2", 2, 8, null, 0.08, 0.03),
          type("sim-cpu-8", 8, 32, null, 0.32, 0.11),
          type("sim-cpu-32", 32, 128, null, 1.28, 0.42),
          type("sim-l4-1", 8, 32, gpu("L4", 1, 24), 0.71, 0.28),
          type("sim-a100-1", 12, 128, gpu("A100", 1, 80), 2.2, 0.95),
          type("sim-a100-8", 96, 1024, gpu("A100", 8, 80), 17.6, 7.6),
          type("sim-h100-1", 24, 200, gpu("H100", 1, 80), 3.9, 1.9),
          type("sim-h100-8", 192, 1600, gpu("H100", 8, 80), 31.2, 15.2));

  private DefaultMarket() {}

  /** One machine of the first type, in the first zone. */
  static List<Reservation> reservations(List<Region> regions, List<InstanceType> types) {
    return List.of(
        new Reservation(
            "reserved-1", types.getFirst().name(), regions.getFirst().zones().getFirst(), 1));
  }

  private static Region region(String name) {
    return new Region(name, List.of(name + "-a", name + "-b"));
  }

  private static InstanceType.Gpu gpu(String name, int count, int memoryGib) {
    return new InstanceType.Gpu(AcceleratorVendor.NVIDIA, name, count, Size.gib(memoryGib));
  }

  private static InstanceType type(
      String name,
      int cpus,
      int memoryGib,
      InstanceType.@Nullable Gpu gpu,
      double price,
      double spotPrice) {
    return new InstanceType(
        name, cpus, CpuArchitecture.X86, Size.gib(memoryGib), Size.gib(200), gpu, price, spotPrice);
  }
}
