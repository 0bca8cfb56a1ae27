package dev.berth.server.plugins;

import dev.berth.model.api.BackendTypeList;
import dev.berth.spi.BackendType;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All types of backends that are there: first those of the class path, then those in plug-ins by
 * the names of their files. What cannot be loaded is kept with its reason, and the rest works.
 */
public final class Plugins implements AutoCloseable {
  /** What a type or a backend may be called. */
  public static final String NAME = "[a-z][a-z0-9-]{0,39}";

  private static final String UNKNOWN_VERSION = "-";
  private static final System.Logger LOG = System.getLogger(Plugins.class.getName());

  private final Map<String, InstalledType> types = new LinkedHashMap<>();
  private final List<FailedPlugin> failed = new ArrayList<>();
  private final List<OfferSource> sources = new ArrayList<>();
  private final List<URLClassLoader> loaders = new ArrayList<>();

  private Plugins() {}

  /**
   * Looks at the class path and at folders that hold plug-ins: jars, or folders of jars that belong
   * together.
   */
  public static Plugins load(List<Path> folders) {
    Plugins plugins = new Plugins();
    ClassLoader server = Plugins.class.getClassLoader();
    plugins.services(
        server, BackendType.class, InstalledType.BUNDLED, type -> plugins.add(type, null));
    folders.stream().flatMap(plugins::entries).forEach(entry -> plugins.open(entry, server));
    return plugins;
  }

  /** Only what one plug-in gives, besides the class path. */
  public static Plugins loadOne(Path jar) {
    Plugins plugins = new Plugins();
    plugins.open(jar, Plugins.class.getClassLoader());
    return plugins;
  }

  private Stream<Path> entries(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Stream.of();
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found
          .filter(entry -> entry.toString().endsWith(".jar") || Files.isDirectory(entry))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read", e);
    }
  }

  private void open(Path entry, ClassLoader server) {
    String origin = String.valueOf(entry.getFileName());
    int before = types.size() + failed.size();
    try {
      PluginClassLoader loader =
          new PluginClassLoader(origin, jars(entry).toArray(URL[]::new), server);
      loaders.add(loader);
      services(loader, BackendType.class, origin, type -> add(type, entry));
      services(
          loader, OfferSource.class, origin, source -> sources.add(OwnLoader.wrap(source, loader)));
      if (types.size() + failed.size() == before) {
        failed.add(
            new FailedPlugin(
                origin, "it names no backend in META-INF/services/" + BackendType.class.getName()));
      }
    } catch (IOException e) {
      failed.add(new FailedPlugin(origin, "it cannot be read: " + e.getMessage()));
    }
  }

  private static List<URL> jars(Path entry) throws IOException {
    if (!Files.isDirectory(entry)) {
      // A damaged jar would otherwise look like an empty one.
      try (JarFile jar = new JarFile(entry.toFile())) {
        return List.of(url(Path.of(jar.getName())));
      }
    }
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> found = Files.list(entry)) {
      for (Path jar : found.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        jars.add(url(jar));
      }
    }
    return jars;
  }

  private static URL url(Path jar) throws MalformedURLException {
    return jar.toUri().toURL();
  }

  /** Goes through services one by one, so that one that fails does not hide the others. */
  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private <S> void services(
      ClassLoader loader, Class<S> service, String origin, Consumer<S> found) {
    var all = ServiceLoader.load(service, loader).stream().iterator();
    while (true) {
      try {
        if (!all.hasNext()) {
          return;
        }
        found.accept(all.next().get());
      } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
        failed.add(new FailedPlugin(origin, sentence(e)));
        LOG.log(System.Logger.Level.ERROR, "A part of " + origin + " cannot be loaded", e);
      }
    }
  }

  private static String sentence(Throwable e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return e.getCause() == null ? text : text + " (" + e.getCause() + ")";
  }

  private void add(BackendType<?> type, @Nullable Path plugin) {
    String origin = plugin == null ? InstalledType.BUNDLED : String.valueOf(plugin.getFileName());
    String name = type.name();
    if (!name.matches(NAME)) {
      failed.add(
          new FailedPlugin(
              origin,
              "'" + name + "' is no name for a type: it takes lower case letters, digits and -"));
      return;
    }
    InstalledType before = types.get(name);
    if (before != null) {
      failed.add(
          new FailedPlugin(
              origin,
              "the type '" + name + "' is there already (" + before.origin() + "); remove one"));
      return;
    }
    // Asking now shows a type that cannot even describe itself, before somebody relies on it.
    type.traits();
    type.config();
    types.put(name, new InstalledType(type, version(type), origin));
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

  /** All of it as the API and the command line show it. */
  public BackendTypeList view() {
    return new BackendTypeList(
        types.values().stream().map(InstalledType::view).toList(),
        failed.stream()
            .map(one -> new BackendTypeList.Failed(one.origin(), one.reason()))
            .toList());
  }

  /** The names of the types, for a sentence. */
  public String names() {
    return String.join(", ", new TreeSet<>(types.keySet()));
  }

  /** What to say where there is no type of a name. */
  public String unknown(String name) {
    return "no type '" + name + "' is installed; there are " + names();
  }

  public List<InstalledType> types() {
    return List.copyOf(types.values());
  }

  public Optional<InstalledType> find(String name) {
    return Optional.ofNullable(types.get(name));
  }

  public List<FailedPlugin> failed() {
    return List.copyOf(failed);
  }

  /** Sources of offers that plug-ins brought. */
  public List<OfferSource> sources() {
    return List.copyOf(sources);
  }

  @Override
  public void close() {
    for (URLClassLoader loader : loaders) {
      try {
        loader.close();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, loader.getName() + " could not be closed", e);
      }
    }
  }
}
