package dev.berth.catalog.read;

import dev.berth.model.config.AcceleratorVendor;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Who makes accelerators, by the words that catalogs use. */
final class Vendors {
  /** What begins so is of a vendor that has no place in the model. */
  private static final List<String> UNSUPPORTED =
      List.of("inferentia", "trainium", "virtex", "alveo", "qualcomm", "aws");

  private Vendors() {}

  static Optional<AcceleratorVendor> find(String word) {
    return switch (word.strip().toLowerCase(Locale.ROOT)) {
      case "nvidia" -> Optional.of(AcceleratorVendor.NVIDIA);
      case "amd" -> Optional.of(AcceleratorVendor.AMD);
      case "google" -> Optional.of(AcceleratorVendor.GOOGLE);
      case "intel", "habana" -> Optional.of(AcceleratorVendor.INTEL);
      case "tenstorrent" -> Optional.of(AcceleratorVendor.TENSTORRENT);
      default -> Optional.empty();
    };
  }

  static boolean isUnsupportedModel(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return UNSUPPORTED.stream().anyMatch(lower::startsWith);
  }
}
