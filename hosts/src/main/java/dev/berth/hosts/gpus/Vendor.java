package dev.berth.hosts.gpus;

import java.util.Locale;

/** Who made an accelerator. */
public enum Vendor {
  NVIDIA,
  AMD,
  INTEL,
  TENSTORRENT;

  /** The word that configurations and catalogs use. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
