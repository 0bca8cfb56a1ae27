package dev.berth.backends.local;

import java.util.Locale;

/** Who made an accelerator. */
enum Vendor {
  NVIDIA,
  AMD,
  INTEL,
  TENSTORRENT;

  /** The word that configurations and catalogs use. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
