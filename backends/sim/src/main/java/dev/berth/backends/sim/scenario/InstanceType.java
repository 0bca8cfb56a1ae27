package dev.berth.backends.sim.scenario;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.Size;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.config.Setting;
import org.jspecify.annotations.Nullable;

/** A machine that the cloud sells, in every zone. */
public record InstanceType(
    @Setting(value = "Its name.", example = "sim-a100-1") String name,
    @Setting(value = "How many processors it has.", least = 1) int cpus,
    @Setting(value = "The family of its processors.", fallback = "x86") CpuArchitecture arch,
    @Setting(value = "Its memory.", example = "64GB") Size memory,
    @Setting(value = "Its disk.", fallback = "100GB") Size disk,
    @Setting("Its accelerators.") @Nullable Gpu gpu,
    @Setting(value = "US dollars an hour.", least = 0) double price,
    @Setting("US dollars an hour on the spot market; where it is missing, it is not sold there.")
        @Nullable Double spotPrice) {
  public InstanceType {
    if (spotPrice != null && spotPrice < 0) {
      throw new IllegalArgumentException("has a negative 'spot_price'");
    }
  }

  /** How many accelerators it has. */
  public int gpus() {
    return gpu == null ? 0 : gpu.count();
  }

  /** Accelerators, all of one model. */
  public record Gpu(
      @Setting(value = "Who makes it.", fallback = "nvidia") AcceleratorVendor vendor,
      @Setting(value = "The model.", example = "A100") String name,
      @Setting(value = "How many there are.", fallback = "1", least = 1) int count,
      @Setting(value = "The memory of each.", example = "80GB") Size memory) {
    public CatalogItem.Gpu item() {
      return new CatalogItem.Gpu(vendor, name, count, memory.mib());
    }
  }
}
