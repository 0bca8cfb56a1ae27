package dev.berth.model.config;

/** Who makes an accelerator. */
public enum AcceleratorVendor {
  NVIDIA,
  AMD,
  GOOGLE,
  INTEL,
  TENSTORRENT
}
