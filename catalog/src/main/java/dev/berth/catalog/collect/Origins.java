package dev.berth.catalog.collect;

import dev.berth.catalog.AtomicFiles;
import dev.berth.catalog.CatalogException;
import dev.berth.catalog.index.StoreLock;
import dev.berth.catalog.read.CatalogFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Remembers where sources were imported from, so that they can be collected again. */
public final class Origins {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Path file;

  /**
   * Where a source comes from.
   *
   * @param place a folder, a file or an http(s) address
   * @param version the only version that will do; null for the newest
   */
  public record Origin(CatalogFormat format, String place, @Nullable String version) {}

  Origins(Path file) {
    this.file = file;
  }

  /** By the name of the source. */
  public SortedMap<String, Origin> all() {
    if (!Files.exists(file)) {
      return Collections.emptySortedMap();
    }
    try {
      TreeMap<String, Origin> read =
          MAPPER.readValue(
              Files.readAllBytes(file), new TypeReference<TreeMap<String, Origin>>() {});
      if (read == null) {
        throw new CatalogException(file + " says nothing. Remove it and import again.");
      }
      return read;
    } catch (IOException | JacksonException e) {
      throw new CatalogException(
          file + " cannot be read: " + e.getMessage() + ". Remove it and import again.", e);
    }
  }

  public void remember(Collection<String> sources, Origin origin) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw new CatalogException(file + " is not a file.");
    }
    try {
      Files.createDirectories(folder);
      // Two imports at once must not forget each other's sources.
      try (StoreLock _ = StoreLock.acquire(folder)) {
        SortedMap<String, Origin> all = new TreeMap<>(all());
        sources.forEach(source -> all.put(source, origin));
        AtomicFiles.write(file, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(all));
      }
    } catch (IOException e) {
      throw new CatalogException(file + " cannot be written: " + e, e);
    }
  }
}
