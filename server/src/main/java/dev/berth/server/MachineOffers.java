package dev.berth.server;

import dev.berth.catalog.OfferAnswers;
import dev.berth.catalog.SnapshotContent;
import dev.berth.model.Accelerator;
import dev.berth.model.Instance;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Machines that are there by themselves, in the form of offers. */
final class MachineOffers {
  private MachineOffers() {}

  static SnapshotContent content(String backend, List<Instance> machines, Instant now) {
    List<CatalogItem> items = machines.stream().map(MachineOffers::item).toList();
    return OfferAnswers.content(backend, now, items);
  }

  private static CatalogItem item(Instance machine) {
    return new CatalogItem(
        // As with offers of providers: the word by which they are asked for.
        machine.backendType(),
        machine.name(),
        machine.region(),
        null,
        machine.price(),
        machine.capacity().cpus(),
        architecture(),
        machine.capacity().memoryMib(),
        gpu(machine.gpus()),
        machine.capacity().diskMib(),
        false,
        List.of(),
        CatalogItem.NO_PROVIDER_DATA,
        List.of());
  }

  /** The machines of a server are of its kind; those of others will say so themselves. */
  private static CpuArchitecture architecture() {
    String name = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    return name.startsWith("aarch") || name.startsWith("arm")
        ? CpuArchitecture.ARM
        : CpuArchitecture.X86;
  }

  /** Of a machine with several models, the one that it has most of. */
  private static CatalogItem.@Nullable Gpu gpu(List<Accelerator> devices) {
    return devices.stream()
        .filter(device -> vendor(device.vendor()) != null)
        .map(
            device ->
                new CatalogItem.Gpu(
                    Objects.requireNonNull(vendor(device.vendor())),
                    device.name(),
                    (int) devices.stream().filter(other -> isSame(device, other)).count(),
                    device.memoryMib()))
        .max(Comparator.comparingInt(CatalogItem.Gpu::count))
        .orElse(null);
  }

  private static boolean isSame(Accelerator device, Accelerator other) {
    return device.name().equals(other.name()) && device.memoryMib() == other.memoryMib();
  }

  private static @Nullable AcceleratorVendor vendor(String word) {
    return Arrays.stream(AcceleratorVendor.values())
        .filter(vendor -> vendor.name().equalsIgnoreCase(word))
        .findFirst()
        .orElse(null);
  }
}
