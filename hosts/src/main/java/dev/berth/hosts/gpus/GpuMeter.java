package dev.berth.hosts.gpus;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * A vendor's command that tells how busy accelerators are.
 *
 * @param arguments what it is called with
 * @param parser reads what it prints into percentages by id, given who lists the accelerators of
 *     the vendor in the order of its tools; throws {@link UnreadableOutputException}
 */
record GpuMeter(
    Vendor vendor,
    String name,
    List<String> arguments,
    BiFunction<String, Supplier<List<Gpu>>, Map<String, Integer>> parser) {
  /** Where there are two tools of one vendor, the first that answers is believed. */
  static final List<GpuMeter> ALL =
      List.of(
          new GpuMeter(
              Vendor.NVIDIA,
              "nvidia-smi",
              NvidiaSmi.USE_ARGUMENTS,
              (output, _) -> NvidiaSmi.parseUse(output)),
          new GpuMeter(
              Vendor.AMD,
              "amd-smi",
              AmdSmi.USE_ARGUMENTS,
              (output, gpus) -> AmdSmi.parseUse(output, gpus.get())),
          new GpuMeter(
              Vendor.AMD,
              "rocm-smi",
              RocmSmi.USE_ARGUMENTS,
              (output, _) -> RocmSmi.parseUse(output)));

  GpuMeter {
    arguments = List.copyOf(arguments);
  }
}
