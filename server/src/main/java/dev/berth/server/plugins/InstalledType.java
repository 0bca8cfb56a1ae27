package dev.berth.server.plugins;

import dev.berth.model.api.BackendTypeView;
import dev.berth.spi.BackendType;
import dev.berth.spi.Trait;
import dev.berth.spi.config.ConfigSchema;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * A type of backend that can be used.
 *
 * @param version of the jar that it came in
 * @param origin {@code bundled}, or the plug-in's file
 */
public record InstalledType(BackendType<?> type, String version, String origin) {
  public static final String BUNDLED = "bundled";

  private static final String UNKNOWN_VERSION = "-";
  private static final System.Logger LOG = System.getLogger(InstalledType.class.getName());

  static InstalledType of(BackendType<?> type, String origin) {
    return new InstalledType(type, version(type), origin);
  }

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

  /** What the manifest of the type's jar says. */
  private static String version(BackendType<?> type) {
    CodeSource source = type.getClass().getProtectionDomain().getCodeSource();
    if (source == null || !source.getLocation().getPath().endsWith(".jar")) {
      return UNKNOWN_VERSION;
    }
    try (JarFile jar = new JarFile(Path.of(source.getLocation().toURI()).toFile())) {
      Manifest manifest = jar.getManifest();
      String version =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      return version == null ? UNKNOWN_VERSION : version;
    } catch (IOException | URISyntaxException e) {
      LOG.log(System.Logger.Level.WARNING, "The version of " + type.name() + " is not known", e);
      return UNKNOWN_VERSION;
    }
  }
}
