package dev.berth.server.plugins;

import dev.berth.model.api.BackendTypeList;
import dev.berth.spi.BackendType;
import dev.berth.spi.OfferSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All types of backends that are there: first those of the class path, then those in plug-ins by
 * the names of their files. What cannot be loaded is kept with its reason, and the rest works.
 *
 * <p>Plug-ins that come later are found when somebody asks for a type that is not known, or for all
 * of them. What was loaded stays as it is until the end of the process, because backends work with
 * it. Safe for any thread.
 */
public final class Plugins implements AutoCloseable {
  /** What a type or a backend may be called. */
  public static final String NAME = "[a-z][a-z0-9-]{0,39}";

  /** Classes that are in use cannot be exchanged. */
  private static final String RESTART =
      "it was replaced or removed after the server had loaded it, and the old one stays in use;"
          + " restart the server (if it runs in the background: berth server stop)";

  private static final System.Logger LOG = System.getLogger(Plugins.class.getName());

  private final List<Path> folders;
  private final boolean copied;
  private final ReentrantLock lock = new ReentrantLock();

  /** What follows is guarded by the lock. */
  private final Map<String, InstalledType> types = new LinkedHashMap<>();

  private final List<FailedPlugin> failed = new ArrayList<>();
  private final Map<Path, LoadedPlugin> loaded = new LinkedHashMap<>();

  private Plugins(List<Path> folders, boolean copied) {
    this.folders = List.copyOf(folders);
    this.copied = copied;
  }

  /**
   * Looks at the class path and at folders that hold plug-ins: jars, or folders of jars that belong
   * together.
   */
  public static Plugins load(List<Path> folders) {
    return load(folders, false);
  }

  /**
   * The same for a process that runs for long: it uses copies of the jars, so that whoever replaces
   * one does not take the classes away from the backends that work.
   */
  public static Plugins loadCopies(List<Path> folders) {
    return load(folders, true);
  }

  private static Plugins load(List<Path> folders, boolean copied) {
    Plugins plugins = new Plugins(folders, copied);
    plugins.loadBundled();
    plugins.look();
    return plugins;
  }

  /** Only what one plug-in gives, besides the class path. */
  public static Plugins loadOne(Path jar) {
    Plugins plugins = new Plugins(List.of(), false);
    plugins.alone(() -> plugins.loaded.put(jar, plugins.open(jar)));
    return plugins;
  }

  private <T> T alone(Supplier<T> supplier) {
    lock.lock();
    try {
      return supplier.get();
    } finally {
      lock.unlock();
    }
  }

  private void loadBundled() {
    lock.lock();
    try {
      services(
          Plugins.class.getClassLoader(),
          BackendType.class,
          type -> add(type, InstalledType.BUNDLED, failed),
          e -> failed.add(failure(InstalledType.BUNDLED, e)));
    } finally {
      lock.unlock();
    }
  }

  /** Loads plug-ins that have come since the last look, and those that failed and have changed. */
  private void look() {
    lock.lock();
    try {
      List<Path> present = folders.stream().flatMap(PluginFile::in).toList();
      loaded.entrySet().removeIf(one -> isStale(one.getKey(), one.getValue(), present));
      for (Path entry : present) {
        if (!loaded.containsKey(entry)) {
          loaded.put(entry, open(entry));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing was got from a plug-in, and it has gone or changed. */
  private static boolean isStale(Path entry, LoadedPlugin before, List<Path> present) {
    if (before.isUsed() || (present.contains(entry) && !before.isReplaced())) {
      return false;
    }
    before.close();
    return true;
  }

  private LoadedPlugin open(Path entry) {
    try {
      PluginFile file = copied ? PluginFile.copy(entry) : PluginFile.read(entry);
      PluginClassLoader loader =
          new PluginClassLoader(file.origin(), file.urls(), Plugins.class.getClassLoader());
      List<String> names = new ArrayList<>();
      List<OfferSource> sources = new ArrayList<>();
      List<FailedPlugin> failures = new ArrayList<>();
      Consumer<Throwable> fails = e -> failures.add(failure(file.origin(), e));
      services(
          loader,
          BackendType.class,
          type -> {
            if (add(type, file.origin(), failures)) {
              names.add(type.name());
            }
          },
          fails);
      if (names.isEmpty() && failures.isEmpty()) {
        failures.add(
            new FailedPlugin(
                file.origin(),
                "it names no backend in META-INF/services/" + BackendType.class.getName()));
      }
      services(
          loader, OfferSource.class, source -> sources.add(OwnLoader.wrap(source, loader)), fails);
      return new LoadedPlugin(file, loader, names, sources, failures);
    } catch (IOException e) {
      return LoadedPlugin.nothing(
          entry,
          "it cannot be read: "
              + e.getMessage()
              + "; if it is still being copied, try again when that has ended");
    }
  }

  /** Goes through services one by one, so that one that fails does not hide the others. */
  private static <S> void services(
      ClassLoader loader, Class<S> service, Consumer<S> found, Consumer<Throwable> fails) {
    var all = ServiceLoader.load(service, loader).stream().iterator();
    while (true) {
      try {
        if (!all.hasNext()) {
          return;
        }
        found.accept(all.next().get());
      } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
        fails.accept(e);
      }
    }
  }

  private static FailedPlugin failure(String origin, Throwable e) {
    LOG.log(System.Logger.Level.ERROR, "A part of " + origin + " cannot be loaded", e);
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return new FailedPlugin(origin, e.getCause() == null ? text : text + " (" + e.getCause() + ")");
  }

  private boolean add(BackendType<?> type, String origin, List<FailedPlugin> failures) {
    String name = type.name();
    if (!name.matches(NAME)) {
      failures.add(
          new FailedPlugin(
              origin,
              "'" + name + "' is no name for a type: it takes lower case letters, digits and -"));
      return false;
    }
    InstalledType before = types.get(name);
    if (before != null) {
      failures.add(
          new FailedPlugin(
              origin,
              "the type '" + name + "' is there already (" + before.origin() + "); remove one"));
      return false;
    }
    // Asking now shows a type that cannot even describe itself, before somebody relies on it.
    type.traits();
    type.config();
    types.put(name, InstalledType.of(type, origin));
    return true;
  }

  /** All of it as the API and the command line show it, with plug-ins that have come since. */
  public BackendTypeList view() {
    look();
    List<FailedPlugin> wrong = new ArrayList<>(failed());
    alone(() -> List.copyOf(loaded.values())).stream()
        .filter(one -> one.isUsed() && one.isReplaced())
        .map(one -> one.file())
        .flatMap(Stream::ofNullable)
        .forEach(file -> wrong.add(new FailedPlugin(file.origin(), RESTART)));
    return new BackendTypeList(
        types().stream().map(InstalledType::view).toList(),
        wrong.stream().map(one -> new BackendTypeList.Failed(one.origin(), one.reason())).toList());
  }

  /** The names of the types, for a sentence. */
  public String names() {
    return alone(() -> String.join(", ", new TreeSet<>(types.keySet())));
  }

  /** What to say where there is no type of a name. */
  public String unknown(String name) {
    String sentence = "no type '" + name + "' is installed; there are " + names();
    if (!folders.isEmpty()) {
      sentence += "; jars of other types belong into " + folders.getLast();
    }
    return Stream.concat(
            Stream.of(sentence),
            failed().stream().map(one -> one.origin() + " cannot be loaded: " + one.reason()))
        .collect(Collectors.joining("; "));
  }

  /** What to say of a type whose plug-in was replaced since it was loaded; usually nothing. */
  public Optional<String> replaced(InstalledType type) {
    return alone(() -> List.copyOf(loaded.values())).stream()
        .filter(one -> one.types().contains(type.type().name()) && one.isReplaced())
        .findFirst()
        .map(_ -> type.origin() + ": " + RESTART);
  }

  public List<InstalledType> types() {
    return alone(() -> List.copyOf(types.values()));
  }

  /** The type of a name, also where its plug-in has come a moment ago. */
  public Optional<InstalledType> find(String name) {
    InstalledType known = alone(() -> types.get(name));
    if (known == null) {
      look();
      known = alone(() -> types.get(name));
    }
    return Optional.ofNullable(known);
  }

  /** What could not be loaded at the last look. */
  public List<FailedPlugin> failed() {
    return alone(
        () ->
            Stream.concat(
                    failed.stream(), loaded.values().stream().flatMap(one -> one.failed().stream()))
                .toList());
  }

  /** Sources of offers that plug-ins brought. */
  public List<OfferSource> sources() {
    return alone(() -> loaded.values().stream().flatMap(one -> one.sources().stream()).toList());
  }

  @Override
  public void close() {
    alone(() -> List.copyOf(loaded.values())).forEach(LoadedPlugin::close);
  }
}
