package dev.berth.testkit.broken;

import dev.berth.backends.sim.SimConfig;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import java.util.Optional;

/** Machines on which Berth brings its own engine. */
public final class NoEngine extends ForwardingCompute {
  private NoEngine(Compute sound) {
    super(sound);
  }

  /** The type of such machines. */
  public static BackendType<SimConfig> type(BackendType<SimConfig> type) {
    return Variant.opened(type, NoEngine::new);
  }

  @Override
  public Optional<JobRuntime> runtime() {
    return Optional.empty();
  }
}
