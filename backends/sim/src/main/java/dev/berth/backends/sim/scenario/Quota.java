package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import org.jspecify.annotations.Nullable;

/** How much the account may have in a region at one time. */
public record Quota(
    @Setting("The region; by default each region.") @Nullable String region,
    @Setting(value = "The maximum number of machines and container jobs.", least = 0)
        @Nullable Integer instances,
    @Setting(value = "The maximum number of GPUs.", least = 0) @Nullable Integer gpus) {
  public Quota {
    if (instances == null && gpus == null) {
      throw new IllegalArgumentException("limits nothing; write 'instances' or 'gpus'");
    }
  }

  public boolean concerns(String other) {
    return region == null || region.equals(other);
  }
}
