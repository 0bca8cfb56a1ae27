package dev.berth.server.plugins;

import dev.berth.spi.BackendType;

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

  ClassLoader loader() {
    return type.getClass().getClassLoader();
  }
}
