package dev.berth.hosts.gpus;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Speaks with {@code nvidia-smi}. */
final class NvidiaSmi {
  static final List<String> ARGUMENTS =
      List.of("--query-gpu=uuid,name,memory.total", "--format=csv,noheader,nounits");

  static final List<String> USE_ARGUMENTS =
      List.of("--query-gpu=uuid,utilization.gpu", "--format=csv,noheader,nounits");

  private NvidiaSmi() {}

  static List<Gpu> parse(String output) {
    if (output.strip().equals("No devices were found")) {
      return List.of();
    }
    return CommaLines.read(output, 3).stream().map(NvidiaSmi::gpu).toList();
  }

  private static Gpu gpu(List<String> fields) {
    String uuid = fields.get(0);
    if (!uuid.startsWith("GPU-")) {
      throw new UnreadableOutputException("'" + uuid + "' is not the id of a GPU");
    }
    return new Gpu(
        uuid,
        Vendor.NVIDIA,
        GpuNames.canonical(Vendor.NVIDIA, fields.get(1)),
        GpuMemory.soldMib(CommaLines.mib(fields.get(2))),
        uuid);
  }

  /** Percentages by id; a GPU in parts has none, and the tool says so in brackets. */
  static Map<String, Integer> parseUse(String output) {
    Map<String, Integer> use = new LinkedHashMap<>();
    for (List<String> fields : CommaLines.read(output, 2)) {
      Percent.read(fields.get(1)).ifPresent(percent -> use.put(fields.get(0), percent));
    }
    return use;
  }
}
