package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How busy the accelerators of a job are while it runs. */
public record GpuLoad(
    @Setting(value = "The utilization of each GPU, in percent.", fallback = "100", least = 0)
        int percent,
    @Setting("How long after the start of the job the GPUs stay busy; by default until its end.")
        @Nullable Duration busyFor) {
  /** Busy from beginning to end. */
  public static final GpuLoad FULL = new GpuLoad(100, null);

  public GpuLoad {
    if (percent > 100) {
      throw new IllegalArgumentException("has a 'percent' of more than 100");
    }
  }

  /** How busy they are at a time after the start. */
  public int percentAfter(Duration time) {
    return busyFor == null || time.compareTo(busyFor) < 0 ? percent : 0;
  }
}
