package dev.berth.catalog.read;

import dev.berth.model.config.CpuArchitecture;
import java.util.Map;
import java.util.regex.Pattern;

/** The processors of a machine, by its name, for catalogs that do not tell them. */
final class Architectures {
  private static final Map<String, Pattern> ARM_TYPES =
      Map.of(
          // Graviton has a g after the generation: m7g, c6gn, im4gn.
          "aws", Pattern.compile("(?:[a-z]+[0-9]+g[a-z]*|a1|mac2.*|mac-m4.*)\\..+"),
          // A p among the small letters after the size: Standard_D2ps_v5.
          "azure", Pattern.compile("Standard_[A-Z]+[0-9]+(?:-[0-9]+)?[a-z]*p[a-z]*(?:_.*)?"),
          "gcp", Pattern.compile("(?:t2a|c4a|n4a|a4x)-.+"),
          "oci", Pattern.compile("(?:VM|BM)\\.Standard\\.A[0-9]\\..+"));

  /** Accelerators on one board with an ARM processor. */
  private static final Pattern SUPERCHIP = Pattern.compile("G[BH][0-9]+.*");

  private Architectures() {}

  static CpuArchitecture of(String provider, String instanceType, String acceleratorName) {
    Pattern arm = ARM_TYPES.get(provider);
    boolean byType = arm != null && arm.matcher(instanceType).matches();
    return byType || SUPERCHIP.matcher(acceleratorName).matches()
        ? CpuArchitecture.ARM
        : CpuArchitecture.X86;
  }
}
