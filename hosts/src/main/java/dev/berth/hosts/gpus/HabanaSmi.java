package dev.berth.hosts.gpus;

import java.util.List;

/**
 * Speaks with {@code hl-smi}, for Intel's Gaudi. Programs outside of containers are given cards by
 * module, whose numbers are those of the slots and not those of the driver.
 */
final class HabanaSmi {
  static final List<String> ARGUMENTS =
      List.of("--query-aip=uuid,module_id,name,memory.total", "--format=csv,noheader,nounits");

  private HabanaSmi() {}

  static List<Gpu> parse(String output) {
    return CommaLines.read(output, 4).stream()
        .map(
            fields ->
                new Gpu(
                    fields.get(0),
                    Vendor.INTEL,
                    GpuNames.canonical(Vendor.INTEL, fields.get(2)),
                    GpuMemory.soldMib(CommaLines.mib(fields.get(3))),
                    fields.get(1)))
        .toList();
  }
}
