package dev.berth.hosts.gpus;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The variables by which a job's libraries learn which accelerators are its own. Of a vendor that
 * the machine has accelerators of, and the job none, the variables are empty, which hides them all.
 * That is an agreement, not a wall: a job can change its variables.
 */
public final class DeviceVariables {
  private DeviceVariables() {}

  /** What hides from a job what it did not get. */
  public static Map<String, String> visible(List<Gpu> machine, Set<String> allocated) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (Vendor vendor : Vendor.values()) {
      List<Gpu> all = machine.stream().filter(gpu -> gpu.vendor() == vendor).toList();
      if (!all.isEmpty()) {
        List<String> own =
            all.stream().filter(gpu -> allocated.contains(gpu.id())).map(Gpu::selector).toList();
        variables.putAll(visible(vendor, own));
      }
    }
    return variables;
  }

  private static Map<String, String> visible(Vendor vendor, List<String> selectors) {
    String list = String.join(",", selectors);
    return switch (vendor) {
      case NVIDIA -> Map.of("CUDA_VISIBLE_DEVICES", list, "NVIDIA_VISIBLE_DEVICES", list);
      // HIP counts what ROCR leaves over.
      case AMD ->
          Map.of(
              "ROCR_VISIBLE_DEVICES",
              list,
              "HIP_VISIBLE_DEVICES",
              IntStream.range(0, selectors.size())
                  .mapToObj(String::valueOf)
                  .collect(Collectors.joining(",")));
      case INTEL -> Map.of("HABANA_VISIBLE_MODULES", list);
      case TENSTORRENT -> Map.of("TT_VISIBLE_DEVICES", list);
    };
  }

  /** How many a job has, for jobs that count. One machine is one node. */
  public static Map<String, String> counts(int allocated) {
    String number = String.valueOf(allocated);
    return Map.of(
        "BERTH_GPUS_NUM", number,
        "DSTACK_GPUS_NUM", number,
        "BERTH_GPUS_PER_NODE", number,
        "DSTACK_GPUS_PER_NODE", number);
  }
}
