package dev.berth.server.plugins;

import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a plug-in gave when it was loaded.
 *
 * @param file null where it could not be read
 * @param types the names of those that can be used
 */
record LoadedPlugin(
    @Nullable PluginFile file,
    @Nullable PluginClassLoader loader,
    List<String> types,
    List<OfferSource> sources,
    List<FailedPlugin> failed)
    implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LoadedPlugin.class.getName());

  static LoadedPlugin nothing(Path entry, String reason) {
    FailedPlugin failed = new FailedPlugin(String.valueOf(entry.getFileName()), reason);
    return new LoadedPlugin(null, null, List.of(), List.of(), List.of(failed));
  }

  boolean isUsed() {
    return !types.isEmpty() || !sources.isEmpty();
  }

  boolean isReplaced() {
    return file == null || file.isReplaced();
  }

  @Override
  public void close() {
    try {
      if (loader != null) {
        loader.close();
      }
      if (file != null) {
        file.deleteCopies();
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "A plug-in could not be closed", e);
    }
  }
}
