package dev.berth.catalog.read;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which machines of Google Cloud take which accelerators. Some families are sold only with theirs;
 * older accelerators can be added to N1 machines that are not too large for them.
 */
final class GcpMachines {
  private static final Pattern ONLY_WITH_ACCELERATORS = Pattern.compile("(?:a[2-9]x?|g[2-9])-.+");
  private static final Pattern N1 = Pattern.compile("n1-.+");

  /** Families with a machine for each count, which is in its name. */
  private static final Map<String, String> NAMED_BY_COUNT =
      Map.of(
          "A100", "a2-highgpu-%dg",
          "A100-80GB", "a2-ultragpu-%dg",
          "H100", "a3-highgpu-%dg",
          "H100-MEGA", "a3-megagpu-%dg",
          "H200", "a3-ultragpu-%dg",
          "B200", "a4-highgpu-%dg",
          "GB200", "a4x-highgpu-%dg");

  private static final Map<Integer, List<String>> L4 =
      Map.of(
          1,
              List.of(
                  "g2-standard-4",
                  "g2-standard-8",
                  "g2-standard-12",
                  "g2-standard-16",
                  "g2-standard-32"),
          2, List.of("g2-standard-24"),
          4, List.of("g2-standard-48"),
          8, List.of("g2-standard-96"));

  /** The most cpus of an N1 machine with so many of the accelerators. */
  private static final Map<String, Map<Integer, Integer>> N1_CPUS =
      Map.of(
          "T4", Map.of(1, 48, 2, 48, 4, 96),
          "P4", Map.of(1, 24, 2, 48, 4, 96),
          "V100", Map.of(1, 12, 2, 24, 4, 48, 8, 96),
          "P100", Map.of(1, 16, 2, 32, 4, 96));

  private static final double N1_GIB_PER_CPU = 6.5;
  private static final int CPUS_PER_RTX_PRO = 48;

  private GcpMachines() {}

  static boolean needsAccelerators(String machine) {
    return ONLY_WITH_ACCELERATORS.matcher(machine).matches();
  }

  /** Whether a machine takes the accelerators, by the names that SkyPilot has for both. */
  static boolean fits(String accelerator, int count, String machine, int cpus, double memoryGib) {
    String pattern = NAMED_BY_COUNT.get(accelerator);
    if (pattern != null) {
      return machine.equals(pattern.formatted(count))
          || (accelerator.equals("A100") && count == 16 && machine.equals("a2-megagpu-16g"));
    }
    if (accelerator.equals("L4")) {
      return L4.getOrDefault(count, List.of()).contains(machine);
    }
    if (accelerator.equals("RTXPRO6000")) {
      return machine.equals("g4-standard-" + CPUS_PER_RTX_PRO * count);
    }
    int mostCpus = N1_CPUS.getOrDefault(accelerator, Map.of()).getOrDefault(count, 0);
    return N1.matcher(machine).matches()
        && cpus <= mostCpus
        && memoryGib <= mostCpus * N1_GIB_PER_CPU;
  }
}
