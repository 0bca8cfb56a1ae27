package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the files of each provider in a folder, an archive or a single file. */
final class LocalImport {
  private static final int DEEPEST = 6;

  private final ImportRequest request;
  private final Path root;
  private final ReadLimits limits;

  LocalImport(ImportRequest request, Path root, ReadLimits limits) {
    this.request = request;
    this.root = root;
    this.limits = limits;
  }

  List<OfferSource> sources() {
    if (Files.isDirectory(root)) {
      return folder();
    }
    if (!Files.isRegularFile(root)) {
      throw new CatalogException("There is no file or folder " + root + ".");
    }
    Archive archive = new Archive(root, root.toString(), limits);
    if (archive.isZip()) {
      request.refuseVersion();
      return zip(root, null);
    }
    String provider =
        request.providers().size() == 1
            ? request.providers().iterator().next()
            : Layout.providerOfFile(root.toAbsolutePath().toString());
    request.refuseVersion();
    return List.of(source(provider, root, null, null));
  }

  private List<OfferSource> folder() {
    List<String> paths = paths();
    return switch (request.format()) {
      case SKYPILOT -> all(Layout.vmsByCloud(paths));
      case GPUHUNT -> {
        Map<String, Map<String, String>> zips = Layout.zipsByProvider(paths);
        if (!zips.isEmpty()) {
          yield zips.entrySet().stream().map(it -> newest(it.getKey(), it.getValue())).toList();
        }
        List<String> top = paths.stream().filter(path -> !path.contains("/")).toList();
        Map<String, String> files = Layout.csvByProvider(top);
        yield files.isEmpty() ? bundle(paths) : withMisnamed(all(files), top);
      }
    };
  }

  private List<OfferSource> withMisnamed(List<OfferSource> sources, List<String> paths) {
    List<OfferSource> all = new ArrayList<>(sources);
    if (request.providers().isEmpty()) {
      Layout.misnamed(paths).forEach((name, why) -> all.add(new FailingSource(name, why)));
    }
    return all;
  }

  private List<OfferSource> all(Map<String, String> files) {
    request.refuseVersion();
    return files.entrySet().stream()
        .map(it -> source(it.getKey(), root.resolve(it.getValue()), null, null))
        .toList();
  }

  private OfferSource newest(String provider, Map<String, String> versions) {
    Path any = root.resolve(versions.values().iterator().next());
    Path folder = any.resolve("../..").normalize();
    @Nullable String version = request.version();
    if (version == null && Files.exists(folder.resolve("version"))) {
      version = version(folder.resolve("version"));
    }
    if (version == null && !versions.containsKey("latest")) {
      version = Collections.max(versions.keySet(), Versions.OLDEST_FIRST);
    }
    Path file = folder.resolve(version == null ? "latest" : version).resolve("catalog.zip");
    return source(provider, file, null, version);
  }

  /** gpuhunt's version 2: one archive with a file for each provider. */
  private List<OfferSource> bundle(List<String> paths) {
    @Nullable String version = request.version();
    if (version == null && paths.contains("version")) {
      version = version(root.resolve("version"));
    }
    for (String folder : new String[] {version == null ? "latest" : version, "."}) {
      Path file = root.resolve(folder).resolve("catalog.zip").normalize();
      if (Files.exists(file)) {
        return zip(file, version);
      }
    }
    throw new CatalogException(
        "There is no catalog of "
            + request.format().word()
            + " in "
            + root
            + (request.version() == null
                ? "."
                : ", or none of version " + request.version() + "."));
  }

  private List<OfferSource> zip(Path file, @Nullable String version) {
    List<String> names = new Archive(file, file.toString(), limits).csvNames();
    Map<String, String> entries =
        switch (request.format()) {
          case GPUHUNT -> Layout.csvByProvider(names);
          case SKYPILOT -> Layout.vmsByCloud(names);
        };
    return entries.entrySet().stream()
        .map(it -> source(it.getKey(), file, it.getValue(), version))
        .toList();
  }

  private OfferSource source(
      String provider, Path file, @Nullable String entry, @Nullable String version) {
    return new FileSource(provider, request.format(), file, entry, version, limits);
  }

  private static String version(Path file) {
    try {
      // A version is a word; a file that is much longer is something else.
      byte[] start;
      try (InputStream in = Files.newInputStream(file)) {
        start = in.readNBytes(1024);
      }
      return Versions.require(new String(start, StandardCharsets.UTF_8), file.toString());
    } catch (IOException e) {
      throw new CatalogException(file + ": The file cannot be read: " + e, e);
    }
  }

  private List<String> paths() {
    try (Stream<Path> files = Files.walk(root, DEEPEST)) {
      List<String> paths =
          files
              .filter(Files::isRegularFile)
              .map(file -> root.relativize(file).toString().replace('\\', '/'))
              .limit(limits.entries() + 1L)
              .sorted()
              .toList();
      if (paths.size() > limits.entries()) {
        throw new CatalogException(root + " has more than " + limits.entries() + " files.");
      }
      return paths;
    } catch (IOException e) {
      throw new CatalogException(root + ": The folder cannot be read: " + e, e);
    }
  }
}
