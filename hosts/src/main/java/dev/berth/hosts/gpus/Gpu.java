package dev.berth.hosts.gpus;

import dev.berth.model.Accelerator;

/**
 * An accelerator of a machine.
 *
 * @param id tells it from all others of the machine, and stays the same over restarts as far as the
 *     vendor's tool permits
 * @param name in the spelling of the catalog ({@link GpuNames})
 * @param memoryMib as it is sold ({@link GpuMemory}); 0 when it is not known
 * @param selector what the vendor's variables call it ({@link DeviceVariables})
 */
public record Gpu(String id, Vendor vendor, String name, long memoryMib, String selector) {
  public Accelerator accelerator() {
    return new Accelerator(id, vendor.word(), name, memoryMib);
  }

  /** Whether a tool of its vendor tells how busy it is. */
  public boolean isMeasurable() {
    return GpuMeter.ALL.stream().anyMatch(meter -> meter.vendor() == vendor);
  }
}
