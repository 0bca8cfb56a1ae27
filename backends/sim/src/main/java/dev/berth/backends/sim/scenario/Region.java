package dev.berth.backends.sim.scenario;

import dev.berth.spi.config.Setting;
import java.util.List;

/** A region of the cloud. */
public record Region(
    @Setting(value = "The name.", example = "sim-north") String name,
    @Setting(value = "The zones.", example = "sim-north-a", least = 1) List<String> zones) {
  public Region {
    zones = List.copyOf(zones);
  }
}
