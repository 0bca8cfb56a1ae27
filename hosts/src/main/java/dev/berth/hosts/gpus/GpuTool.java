package dev.berth.hosts.gpus;

import java.util.List;
import java.util.function.Function;

/**
 * A vendor's command that lists accelerators.
 *
 * @param arguments what it is called with
 * @param parser reads what it prints; throws {@link UnreadableOutputException}
 */
record GpuTool(
    Vendor vendor, String name, List<String> arguments, Function<String, List<Gpu>> parser) {
  /** Where there are two tools of one vendor, the first that finds something is believed. */
  static final List<GpuTool> ALL =
      List.of(
          new GpuTool(Vendor.NVIDIA, "nvidia-smi", NvidiaSmi.ARGUMENTS, NvidiaSmi::parse),
          new GpuTool(Vendor.AMD, "amd-smi", AmdSmi.ARGUMENTS, AmdSmi::parse),
          new GpuTool(Vendor.AMD, "rocm-smi", RocmSmi.ARGUMENTS, RocmSmi::parse),
          new GpuTool(Vendor.INTEL, "hl-smi", HabanaSmi.ARGUMENTS, HabanaSmi::parse),
          new GpuTool(
              Vendor.TENSTORRENT, "tt-smi", TenstorrentSmi.ARGUMENTS, TenstorrentSmi::parse));

  GpuTool {
    arguments = List.copyOf(arguments);
  }
}
