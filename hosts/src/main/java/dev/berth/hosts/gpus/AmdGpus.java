package dev.berth.hosts.gpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names AMD's accelerators the way ROCm does: by the serial number burnt into the chip, as {@code
 * GPU-} and sixteen digits. Chips without one, and the parts of one that is partitioned, are known
 * by their position.
 */
final class AmdGpus {
  private static final Pattern SERIAL = Pattern.compile("(?:0x)?0*([0-9a-f]{1,16})");

  private AmdGpus() {}

  /** An accelerator as a tool tells of it; the serial is empty where there is none. */
  record Reported(String serial, String name, long memoryMib) {}

  static List<Gpu> identify(List<Reported> reported) {
    List<String> uuids = reported.stream().map(gpu -> uuid(gpu.serial())).toList();
    Map<String, Integer> counts = new HashMap<>();
    uuids.forEach(uuid -> counts.merge(uuid, 1, Integer::sum));
    List<Gpu> gpus = new ArrayList<>();
    for (int position = 0; position < reported.size(); position++) {
      String uuid = uuids.get(position);
      boolean unique = !uuid.isEmpty() && counts.getOrDefault(uuid, 0) == 1;
      Reported gpu = reported.get(position);
      gpus.add(
          new Gpu(
              unique ? uuid : "amd-" + position,
              Vendor.AMD,
              GpuNames.canonical(Vendor.AMD, gpu.name()),
              GpuMemory.soldMib(gpu.memoryMib()),
              unique ? uuid : String.valueOf(position)));
    }
    return gpus;
  }

  private static String uuid(String serial) {
    Matcher digits = SERIAL.matcher(serial.toLowerCase(Locale.ROOT));
    if (!digits.matches() || digits.group(1).equals("0")) {
      return "";
    }
    return "GPU-" + "0".repeat(16 - digits.group(1).length()) + digits.group(1);
  }
}
