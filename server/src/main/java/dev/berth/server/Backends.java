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
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The backends of this server: those that are there by themselves, those that were added and those
 * that its file declares, each open or with the reason why it is not. Methods that change one are
 * called by its one operation of {@link #operations}.
 */
final class Backends implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Backends.class.getName());

  /** How long a server waits for its backends before it starts without some of them. */
  private static final Duration OPEN_WITHIN = Duration.ofSeconds(3);

  private final Plugins plugins;
  private final KeptBackends kept;
  private final Path data;
  private final Owner owner;
  private final InstantSource clock;
  private final Archives archives;
  private final String sshKey;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final BackendOperations operations = new BackendOperations();
  private final ReentrantLock lock = new ReentrantLock();

  /** Those whose type is not installed. */
  private final Set<String> withoutType = ConcurrentHashMap.newKeySet();

  /** Those that are open and that nobody works with yet. Guarded by the lock. */
  private final Map<String, Compute> unclaimed = new LinkedHashMap<>();

  /** Who works with those that open from now on. Guarded by the lock. */
  private @Nullable BiConsumer<String, Compute> claimant;

  Backends(
      Plugins plugins,
      KeptBackends kept,
      Path data,
      Owner owner,
      InstantSource clock,
      Archives archives,
      String sshKey) {
    this.plugins = plugins;
    this.kept = kept;
    this.data = data;
    this.owner = owner;
    this.clock = clock;
    this.archives = archives;
    this.sshKey = sshKey;
  }

  /**
   * One backend.
   *
   * @param key what it is called in the whole installation
   * @param added null where it is there by itself
   * @param problem why it is not open; null where it is
   * @param opening whether it is about to be open
   */
  record Entry(
      String key,
      String type,
      @Nullable StoredBackend added,
      @Nullable ConfiguredBackend<?> configured,
      @Nullable String problem,
      boolean opening) {
    Entry(
        String key,
        String type,
        @Nullable StoredBackend added,
        @Nullable ConfiguredBackend<?> configured,
        @Nullable String problem) {
      this(key, type, added, configured, problem, false);
    }

    String name() {
      return BackendKey.name(key);
    }
  }

  /** The keys of all, open or not. */
  Set<String> keys() {
    return Set.copyOf(entries.keySet());
  }

  BackendOperations operations() {
    return operations;
  }

  /**
   * Opens all of them at once, and gives those that are open soon. One that takes long, or cannot
   * be opened, delays no other; {@link #claim} gets it when it is open.
   *
   * @param declared what the server's file says, which may have changed since they were kept
   * @param ownMachine whether those that are there by themselves are wanted
   */
  Map<String, Compute> openAll(Map<String, BackendDeclaration> declared, boolean ownMachine) {
    List<CompletableFuture<Boolean>> openings = new ArrayList<>();
    for (InstalledType type : plugins.types()) {
      if (ownMachine && type.type().isThereByItself()) {
        openings.add(beginOpening(type.type().name(), type.type().name(), null));
      }
    }
    for (StoredBackend one : kept.all()) {
      StoredBackend stored = asDeclared(one, declared.get(one.key()));
      openings.add(beginOpening(stored.key(), stored.type(), stored));
    }
    boolean all =
        CompletableFuture.allOf(openings.toArray(CompletableFuture[]::new))
            .thenApply(_ -> true)
            .completeOnTimeout(false, OPEN_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
            .exceptionally(_ -> true)
            .join();
    if (!all) {
      LOG.log(
          System.Logger.Level.WARNING,
          "These backends take long to open, and what needs them waits: "
              + entries.values().stream()
                  .filter(Entry::opening)
                  .map(Entry::key)
                  .sorted()
                  .collect(Collectors.joining(", ")));
    }
    lock.lock();
    try {
      Map<String, Compute> open = new LinkedHashMap<>(unclaimed);
      unclaimed.clear();
      return open;
    } finally {
      lock.unlock();
    }
  }

  /** Begins to work with those that were not open soon enough, and with each when it opens. */
  void claim(BiConsumer<String, Compute> worker) {
    Map<String, Compute> open;
    lock.lock();
    try {
      claimant = worker;
      open = new LinkedHashMap<>(unclaimed);
      unclaimed.clear();
    } finally {
      lock.unlock();
    }
    open.forEach(worker);
  }

  private CompletableFuture<Boolean> beginOpening(
      String key, String typeName, @Nullable StoredBackend stored) {
    entries.put(
        key,
        new Entry(
            key,
            typeName,
            stored,
            null,
            "it has been opening since "
                + clock.instant().truncatedTo(ChronoUnit.SECONDS)
                + "; what needs it waits until its provider responds",
            true));
    return operations
        .begin(key, () -> openNow(key, typeName, stored))
        .orElseThrow(() -> new IllegalStateException("two backends are called " + key));
  }

  private boolean openNow(String key, String typeName, @Nullable StoredBackend stored) {
    ConfiguredBackend<?> configured = null;
    try {
      InstalledType type = plugins.find(typeName).orElseThrow(() -> typeMissing(key, typeName));
      configured = configured(type, stored == null ? Map.of() : stored.config());
      StoredBackend current = stored;
      if (current != null && current.state() == StoredBackend.State.REMOVING) {
        throw new BackendException.Transient("it is being removed; try again later", null);
      }
      // Whoever masks secrets needs them before the first call.
      ConfiguredBackend<?> known = configured;
      entries.computeIfPresent(
          key,
          (_, entry) ->
              new Entry(key, typeName, entry.added(), known, entry.problem(), entry.opening()));
      if (current != null && current.state() == StoredBackend.State.PREPARING) {
        current = prepare(type, configured, current);
      }
      handOver(key, open(type, configured, context(key, current)));
      entries.put(key, new Entry(key, typeName, current, configured, null));
      return true;
    } catch (RuntimeException | LinkageError e) {
      String problem = sentence(e);
      LOG.log(System.Logger.Level.ERROR, "The backend " + key + " cannot be used: " + problem, e);
      entries.put(key, new Entry(key, typeName, stored, configured, problem));
      return false;
    }
  }

  private BackendException typeMissing(String key, String typeName) {
    withoutType.add(key);
    return new BackendException.Permanent(
        "its type '"
            + typeName
            + "' is not installed; put its plug-in back, and list the backends to open it",
        null);
  }

  /** Opens those whose type was not installed when they were opened, and has come since. */
  void openArrived() {
    for (String key : Set.copyOf(withoutType)) {
      Entry entry = entries.get(key);
      if (entry == null || entry.configured() != null) {
        withoutType.remove(key);
      } else if (plugins.find(entry.type()).isPresent() && withoutType.remove(key)) {
        operations.begin(
            key, () -> entry.equals(entries.get(key)) && openNow(key, entry.type(), entry.added()));
      }
    }
  }

  private void handOver(String key, Compute compute) {
    if (operations.isClosed()) {
      compute.close();
      throw new BackendException.Transient("the server ends", null);
    }
    BiConsumer<String, Compute> worker;
    lock.lock();
    try {
      worker = claimant;
      if (worker == null) {
        unclaimed.put(key, compute);
      }
    } finally {
      lock.unlock();
    }
    if (worker != null) {
      worker.accept(key, compute);
    }
  }

  /** Ends what is being done to backends; those that nobody works with are closed. */
  @Override
  public void close() {
    operations.close();
    lock.lock();
    try {
      unclaimed.values().forEach(Compute::close);
      unclaimed.clear();
    } finally {
      lock.unlock();
    }
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

  /** Gives up opening a backend, if that is what is being done to it. */
  void interruptOpening(String key) {
    Entry entry = entries.get(key);
    if (entry != null && entry.opening()) {
      operations.interrupt(key);
    }
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
        archives,
        sshKey);
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
