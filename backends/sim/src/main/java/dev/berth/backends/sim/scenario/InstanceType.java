package dev.berth.backends.sim.scenario;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.config.Size;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.config.Setting;
import org.jspecify.annotations.Nullable;

/** A machine that the cloud sells, in every zone. */
public record InstanceType(
    @Setting(value = "The name.", example = "sim-a100-1") String name,
    @Setting(value = "The number of CPUs.", least = 1) int cpus,
    @Setting(value = "The CPU architecture.", fallback = "x86") CpuArchitecture arch,
    @Setting(value = "The memory.", example = "64GB") Size memory,
    @Setting(
            value = "The disk space; the smallest of them if there is a 'max_disk'.",
            fallback = "100GB")
        Size disk,
    @Setting("The largest disk; without it, every machine has the same disk.")
        @Nullable Size maxDisk,
    @Setting(
            value = "The price per hour of each GB of a disk that is chosen, in US dollars.",
            fallback = "0",
            least = 0)
        double diskPrice,
    @Setting("The GPUs.") @Nullable Gpu gpu,
    @Setting(value = "The price per hour, in US dollars.", least = 0) double price,
    @Setting("The spot price per hour, in US dollars; without it, the type is not sold as spot.")
        @Nullable Double spotPrice) {
  public InstanceType {
    if (spotPrice != null && spotPrice < 0) {
      throw new IllegalArgumentException("has a negative 'spot_price'");
    }
    if (maxDisk != null && maxDisk.mib() < disk.mib()) {
      throw new IllegalArgumentException("has a 'max_disk' smaller than its 'disk'");
    }
  }

  /** One whose machines all have the same disk. */
  public InstanceType(
      String name,
      int cpus,
      CpuArchitecture arch,
      Size memory,
      Size disk,
      @Nullable Gpu gpu,
      double price,
      @Nullable Double spotPrice) {
    this(name, cpus, arch, memory, disk, null, 0, gpu, price, spotPrice);
  }

  /** How many accelerators it has. */
  public int gpus() {
    return gpu == null ? 0 : gpu.count();
  }

  /** Accelerators, all of one model. */
  public record Gpu(
      @Setting(value = "The manufacturer.", fallback = "nvidia") AcceleratorVendor vendor,
      @Setting(value = "The model.", example = "A100") String name,
      @Setting(value = "The number of GPUs.", fallback = "1", least = 1) int count,
      @Setting(value = "The memory of each GPU.", example = "80GB") Size memory) {
    public CatalogItem.Gpu item() {
      return new CatalogItem.Gpu(vendor, name, count, memory.mib());
    }
  }
}
