package dev.berth.backends.local;

import dev.berth.model.config.Size;
import dev.berth.spi.config.Setting;
import org.jspecify.annotations.Nullable;

/** What an administrator may say about this machine. */
record LocalSettings(
    @Setting(value = "How many jobs may run at once.", fallback = "32", least = 1) int slots,
    @Setting("What the machine has, where Berth shall not look for itself.")
        @Nullable Capacity capacity) {
  static final LocalSettings USUAL = new LocalSettings(32, null);

  /** Null parts are taken from the machine. */
  record Capacity(
      @Setting(value = "Processors.", least = 1) @Nullable Integer cpus,
      @Setting(value = "Memory.", example = "16GB") @Nullable Size memory,
      @Setting(value = "Disk.", example = "100GB") @Nullable Size disk,
      @Setting(value = "How many of the accelerators are offered, the first ones.", least = 0)
          @Nullable Integer gpus) {
    static final Capacity OF_THE_MACHINE = new Capacity(null, null, null, null);
  }

  Capacity given() {
    return capacity == null ? Capacity.OF_THE_MACHINE : capacity;
  }
}
