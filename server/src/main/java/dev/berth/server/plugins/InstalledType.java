package dev.berth.server.plugins;

import dev.berth.model.api.BackendTypeView;
import dev.berth.spi.BackendType;
import dev.berth.spi.Trait;
import dev.berth.spi.config.ConfigSchema;

/**
 * A type of backend that can be used.
 *
 * @param version of the jar that it came in
 * @param origin {@code bundled}, or the plug-in's file
 */
public record InstalledType(BackendType<?> type, String version, String origin) {
  public static final String BUNDLED = "bundled";

  public boolean isBundled() {
    return origin.equals(BUNDLED);
  }

  BackendTypeView view() {
    return new BackendTypeView(
        type.name(),
        version,
        origin,
        type.summary(),
        type.traits().base().word(),
        type.traits().all().stream().map(Trait::word).toList(),
        ConfigSchema.of(type.config()));
  }

  ClassLoader loader() {
    return type.getClass().getClassLoader();
  }
}
