package dev.berth.server;

import dev.berth.model.BackendKey;
import dev.berth.model.Secret;
import dev.berth.model.config.BackendDeclaration;
import dev.berth.server.plugins.InstalledType;
import dev.berth.server.plugins.OwnLoader;
import dev.berth.server.plugins.Plugins;
import dev.berth.spi.Archives;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.ConfiguredBackend;
import dev.berth.spi.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The backends of this server: those that are there by themselves, those that were added and those
 * that its file declares, each open or with the reason why it is not. Methods that change something
 * are called under {@link #changing}.
 */
final class Backends {
  private static final System.Logger LOG = System.getLogger(Backends.class.getName());

  private final Plugins plugins;
  private final KeptBackends kept;
  private final Path data;
  private final Owner owner;
  private final InstantSource clock;
  private final Archives archives;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  /** Held while a backend is added or removed, also during calls to its provider. */
  private final ReentrantLock changing = new ReentrantLock();

  Backends(
      Plugins plugins,
      KeptBackends kept,
      Path data,
      Owner owner,
      InstantSource clock,
      Archives archives) {
    this.plugins = plugins;
    this.kept = kept;
    this.data = data;
    this.owner = owner;
    this.clock = clock;
    this.archives = archives;
  }

  /**
   * One backend.
   *
   * @param key what it is called in the whole installation
   * @param added null where it is there by itself
   * @param problem why it is not open; null where it is
   */
  record Entry(
      String key,
      String type,
      @Nullable StoredBackend added,
      @Nullable ConfiguredBackend<?> configured,
      @Nullable String problem) {
    String name() {
      return BackendKey.name(key);
    }
  }

  ReentrantLock changing() {
    return changing;
  }

  /**
   * Opens all of them; one that cannot be opened does not keep the others from working.
   *
   * @param declared what the server's file says, which may have changed since they were kept
   * @param ownMachine whether those that are there by themselves are wanted
   */
  Map<String, Compute> openAll(Map<String, BackendDeclaration> declared, boolean ownMachine) {
    Map<String, Compute> open = new LinkedHashMap<>();
    for (InstalledType type : plugins.types()) {
      if (ownMachine && type.type().isThereByItself()) {
        String name = type.type().name();
        open(name, name, null).ifPresent(compute -> open.put(name, compute));
      }
    }
    for (StoredBackend one : kept.all()) {
      StoredBackend stored = asDeclared(one, declared.get(one.key()));
      open(stored.key(), stored.type(), stored)
          .ifPresent(compute -> open.put(stored.key(), compute));
    }
    return open;
  }

  private static StoredBackend asDeclared(
      StoredBackend kept, @Nullable BackendDeclaration declaration) {
    return declaration == null
            || !kept.declared()
            || !kept.type().equals(declaration.type())
            || kept.config().equals(declaration.settings())
        ? kept
        : kept.with(new LinkedHashMap<>(declaration.settings()));
  }

  private Optional<Compute> open(String key, String typeName, @Nullable StoredBackend stored) {
    InstalledType type = plugins.find(typeName).orElse(null);
    ConfiguredBackend<?> configured = null;
    try {
      if (type == null) {
        throw new BackendException.Permanent(
            "its type '" + typeName + "' is not installed; put its plug-in back", null);
      }
      configured = configured(type, stored == null ? Map.of() : stored.config());
      StoredBackend current = stored;
      if (current != null && current.state() == StoredBackend.State.REMOVING) {
        throw new BackendException.Transient("it is being removed; try again later", null);
      }
      if (current != null && current.state() == StoredBackend.State.PREPARING) {
        current = prepare(type, configured, current);
      }
      Compute compute = open(type, configured, context(key, current));
      entries.put(key, new Entry(key, typeName, current, configured, null));
      return Optional.of(compute);
    } catch (RuntimeException | LinkageError e) {
      String problem = sentence(e);
      LOG.log(System.Logger.Level.ERROR, "The backend " + key + " cannot be used: " + problem, e);
      entries.put(key, new Entry(key, typeName, stored, configured, problem));
      return Optional.empty();
    }
  }

  /** Takes a backend in that is not there yet: written down first, so that nothing is forgotten. */
  Compute add(InstalledType type, ConfiguredBackend<?> configured, StoredBackend wanted) {
    OwnLoader.run(type, () -> configured.check(context(wanted.key(), wanted)));
    kept.write(wanted);
    remember(wanted, configured, "it is being prepared");
    StoredBackend known = wanted;
    try {
      known = prepare(type, configured, wanted);
      Compute compute = open(type, configured, context(known.key(), known));
      remember(known, configured, null);
      return compute;
    } catch (RuntimeException | LinkageError e) {
      // What was made is remembered with it, so that it can be gone on with or taken back.
      remember(known, configured, sentence(e) + "; add it again to continue");
      throw e;
    }
  }

  static String sentence(Throwable e) {
    return e instanceof BackendException known ? String.valueOf(known.getMessage()) : e.toString();
  }

  /** Shows one that could not even be checked, so that its reason can be seen. */
  void failed(StoredBackend wanted, String problem) {
    remember(wanted, null, problem);
  }

  /** Shows a failed one no longer. */
  void dismiss(String key) {
    entries.remove(key);
  }

  private void remember(
      StoredBackend added, @Nullable ConfiguredBackend<?> configured, @Nullable String problem) {
    entries.put(added.key(), new Entry(added.key(), added.type(), added, configured, problem));
  }

  private StoredBackend prepare(
      InstalledType type, ConfiguredBackend<?> configured, StoredBackend stored) {
    Map<String, String> extras =
        OwnLoader.call(type, () -> configured.prepare(context(stored.key(), stored)));
    StoredBackend ready = stored.ready(extras);
    kept.write(ready);
    return ready;
  }

  private Compute open(
      InstalledType type, ConfiguredBackend<?> configured, BackendContext context) {
    Supplier<Compute> open = () -> configured.open(context);
    return OwnLoader.wrap(type, OwnLoader.call(type, open));
  }

  /** Takes back what was prepared and forgets the backend; whoever calls has closed it. */
  void forget(Entry entry) {
    StoredBackend stored = entry.added();
    if (stored == null) {
      throw new IllegalArgumentException(entry.name() + " was not added");
    }
    StoredBackend removing = stored.in(StoredBackend.State.REMOVING);
    kept.write(removing);
    ConfiguredBackend<?> configured = entry.configured();
    remember(removing, configured, "it is being removed");
    try {
      if (configured != null) {
        undo(configured, context(entry.key(), stored));
      }
    } catch (RuntimeException | LinkageError e) {
      remember(removing, configured, sentence(e) + "; remove it again to continue");
      throw e;
    }
    drop(entry);
  }

  /** Forgets a backend without a word to its provider; whoever calls has closed it. */
  void drop(Entry entry) {
    kept.delete(entry.key());
    deleteData(folder(entry.key(), entry.added()));
    entries.remove(entry.key());
  }

  /** Deletes what a backend that is gone kept for itself. */
  private static void deleteData(Path data) {
    if (!Files.isDirectory(data)) {
      return;
    }
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, data + " could not be deleted", e);
    }
  }

  private void undo(ConfiguredBackend<?> configured, BackendContext context) {
    plugins
        .find(configured.type().name())
        .ifPresent(type -> OwnLoader.run(type, () -> configured.undo(context)));
  }

  static ConfiguredBackend<?> configured(
      InstalledType type, Map<String, ? extends @Nullable Object> config) {
    return OwnLoader.call(type, () -> ConfiguredBackend.of(type.type(), config));
  }

  BackendContext context(String key, @Nullable StoredBackend stored) {
    return new BackendContext(
        key,
        owner,
        folder(key, stored),
        stored == null ? Map.of() : stored.extras(),
        clock,
        archives);
  }

  /** Names of added backends are the users', so their folders stand apart from the server's own. */
  private Path folder(String key, @Nullable StoredBackend stored) {
    return stored == null ? data.resolve(key) : data.resolve("backend-data").resolve(key);
  }

  /** All that is secret in the settings of the backends. Safe for any thread. */
  List<Secret> credentials() {
    return entries.values().stream()
        .map(Entry::configured)
        .filter(Objects::nonNull)
        .flatMap(configured -> configured.secrets().stream())
        .toList();
  }

  /** The type of a backend. Safe for any thread. */
  String typeOf(String key) {
    Entry entry = entries.get(key);
    return entry == null ? BackendKey.name(key) : entry.type();
  }

  Plugins plugins() {
    return plugins;
  }

  Owner owner() {
    return owner;
  }

  /** All of them, by their keys. */
  Map<String, Entry> entries() {
    return Map.copyOf(entries);
  }

  /** The names of those that belong to a project. */
  List<String> ownedBy(String project) {
    return entries.keySet().stream()
        .filter(key -> project.equals(BackendKey.project(key)))
        .map(BackendKey::name)
        .sorted()
        .toList();
  }

  /** Those that a project may use, by their names. */
  SortedMap<String, Entry> of(String project) {
    SortedMap<String, Entry> found = new TreeMap<>();
    entries.forEach(
        (key, entry) -> {
          if (BackendKey.isFor(project, key)) {
            found.put(entry.name(), entry);
          }
        });
    return found;
  }
}
