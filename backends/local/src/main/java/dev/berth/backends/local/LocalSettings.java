package dev.berth.backends.local;

import dev.berth.model.config.Size;
import dev.berth.spi.config.Setting;
import org.jspecify.annotations.Nullable;

/** What an administrator may say about this machine. */
record LocalSettings(
    @Setting(
            value = "The maximum number of jobs that run at the same time.",
            fallback = "32",
            least = 1)
        int slots,
    @Setting("The capacity of the machine, instead of what Berth finds.")
        @Nullable Capacity capacity) {
  static final LocalSettings USUAL = new LocalSettings(32, null);

  /** Null parts are taken from the machine. */
  record Capacity(
      @Setting(value = "The number of CPUs.", least = 1) @Nullable Integer cpus,
      @Setting(value = "The memory.", example = "16GB") @Nullable Size memory,
      @Setting(value = "The disk space.", example = "100GB") @Nullable Size disk,
      @Setting(value = "The number of GPUs to offer, starting with the first.", least = 0)
          @Nullable Integer gpus) {
    static final Capacity OF_THE_MACHINE = new Capacity(null, null, null, null);
  }

  Capacity given() {
    return capacity == null ? Capacity.OF_THE_MACHINE : capacity;
  }
}
