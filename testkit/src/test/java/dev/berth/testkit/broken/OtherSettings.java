package dev.berth.testkit.broken;

import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Traits;
import dev.berth.spi.config.Setting;

/**
 * A type whose settings are badly declared, and which does nothing else.
 *
 * @param <C> the settings
 */
record OtherSettings<C extends Record>(BackendType<?> sound, Class<C> config)
    implements BackendType<C> {
  /** A setting of which nobody says what it is for. */
  record Undescribed(String endpoint) {}

  /** A secret that prints itself. */
  record OpenSecret(@Setting("The token.") String apiToken) {}

  /** A setting that the subject's configuration does not have. */
  record Missing(@Setting("Where the provider is.") String endpoint) {}

  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public String summary() {
    return sound.summary();
  }

  @Override
  public Traits traits() {
    return sound.traits();
  }

  @Override
  public void check(C settings, BackendContext context) {}

  @Override
  public Compute open(C settings, BackendContext context) {
    throw Altered.permanent();
  }
}
