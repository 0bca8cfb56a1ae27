package dev.berth.server;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.CatalogOffer;
import dev.berth.catalog.collect.AccountCatalogs;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.KnownSources;
import dev.berth.catalog.defaults.CatalogHealth;
import dev.berth.catalog.defaults.CatalogInUse;
import dev.berth.catalog.defaults.DefaultCatalog;
import dev.berth.catalog.index.Catalog;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.LiveCatalog;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.places.Providers;
import dev.berth.control.offers.CatalogSource;
import dev.berth.model.Wishes;
import dev.berth.model.api.OfferView;
import dev.berth.spi.OfferSource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The catalog as it is on disk, for placement and for people. */
final class CatalogService implements CatalogSource, AutoCloseable {
  /** As availability: no backend of the project could sell it. */
  static final String NOT_CONFIGURED = "not_configured";

  /** So many offers are looked at for those that stand in a plan. */
  private static final int LOOKED_AT_FOR_PLAN = 1_000;

  private static final int MOST_ELSEWHERE = 3;

  private final DefaultCatalog catalogs;
  private final BackendWords words;
  private final List<OfferSource> known = onClassPath();
  private final Supplier<List<OfferSource>> plugged;
  private final AccountCatalogs accounts;
  private final LiveCatalog live = new LiveCatalog(Catalog.EMPTY);
  private final ReentrantLock loading = new ReentrantLock();

  /** The newest file of each source when the catalog was last loaded; guarded by the lock. */
  private Map<String, Path> loaded = Map.of();

  /** Whether the catalog was read at least once. Written under the lock. */
  private volatile boolean everLoaded;

  /** What was wrong with files when the catalog was last loaded. Written under the lock. */
  private volatile List<String> warnings = List.of();

  /**
   * Begins with what is on disk.
   *
   * @param plugged gives the sources of plug-ins, of which more may come
   * @param accounts what only the accounts of backends see
   */
  CatalogService(
      DefaultCatalog catalogs,
      BackendWords words,
      Supplier<List<OfferSource>> plugged,
      AccountCatalogs accounts) {
    this.catalogs = catalogs;
    this.words = words;
    this.plugged = plugged;
    this.accounts = accounts;
  }

  private static List<OfferSource> onClassPath() {
    List<OfferSource> sources = new ArrayList<>();
    KnownSources.onClassPath().forEach(sources::add);
    return List.copyOf(sources);
  }

  /**
   * What a run could have from providers for which the project has no backend. It is for runs that
   * no place can take, since the catalog may have to be fetched for this.
   */
  Elsewhere elsewhere(String project, Wishes wishes) throws InterruptedException {
    CatalogInUse used = catalogs.use(DefaultCatalog.PATIENCE);
    Set<String> configured = configured(words.of(project));
    Catalog others =
        Catalog.of(
            current().snapshots().stream()
                .filter(snapshot -> !configured.contains(snapshot.source()))
                .toList());
    Map<String, OfferView> cheapest = new LinkedHashMap<>();
    others.query(wishes.filter(), LOOKED_AT_FOR_PLAN).offers().stream()
        .map(CatalogOffer::item)
        .filter(item -> wishes.allow(item.provider(), item.provider()) && wishes.permitBuying(item))
        .forEach(
            item ->
                cheapest.putIfAbsent(
                    item.provider() + " " + item.instanceType() + " " + item.spot(),
                    OfferViews.of(item.provider(), item, NOT_CONFIGURED)));
    return new Elsewhere(
        cheapest.values().stream().limit(MOST_ELSEWHERE).toList(),
        Optional.ofNullable(used.note()).stream().toList());
  }

  /** Offers that the project has no backend for, and a line on where they come from. */
  record Elsewhere(List<OfferView> offers, List<String> notes) {
    static final Elsewhere NOT_LOOKED = new Elsewhere(List.of(), List.of());
  }

  private static Set<String> configured(Map<String, String> types) {
    Set<String> configured = new HashSet<>();
    types.values().forEach(type -> configured.addAll(Providers.same(type)));
    return configured;
  }

  /** Fetches the catalog where there is none, or it is old; what people should know of it. */
  Optional<String> fetch() throws InterruptedException {
    return Optional.ofNullable(catalogs.use(DefaultCatalog.PATIENCE).note());
  }

  /** What was wrong with files when the catalog was last loaded. */
  List<String> warnings() {
    return warnings;
  }

  @Override
  public Optional<Snapshot> snapshot(String source) {
    try {
      Optional<String> _ = fetch();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CatalogException("The catalog was not waited for", e);
    }
    return current().snapshot(source);
  }

  @Override
  public Optional<Snapshot> snapshot(String backend, String source) {
    return accounts.of(backend).store().newest(source);
  }

  @Override
  public List<OfferSource> online() {
    return Stream.concat(known.stream(), plugged.get().stream())
        .filter(source -> source.kind() == OfferSource.Kind.ONLINE)
        .toList();
  }

  /** When each source was collected. */
  Map<String, Instant> collected() {
    Map<String, Instant> collected = new TreeMap<>();
    current()
        .snapshots()
        .forEach(snapshot -> collected.put(snapshot.source(), snapshot.collectedAt()));
    return collected;
  }

  /** How the catalog is that is fetched where none was imported; empty where one was. */
  Optional<CatalogHealth> health() {
    return catalogs.health();
  }

  /** The catalog as it is on disk; another process may have collected. Readers never wait. */
  Catalog current() {
    if (!everLoaded) {
      // The first question waits, since an empty catalog would be a wrong answer.
      loading.lock();
    } else if (!loading.tryLock()) {
      return live.current();
    }
    try {
      CatalogFolder folder = catalogs.inUse();
      Map<String, Path> newest = new HashMap<>();
      for (String source : folder.store().sources()) {
        folder.store().versions(source).stream()
            .findFirst()
            .ifPresent(version -> newest.put(source, version.file()));
      }
      if (!newest.equals(loaded)) {
        CatalogStore.Loaded fresh = folder.store().load();
        live.replace(fresh.catalog());
        warnings = fresh.warnings();
        loaded = newest;
      }
      everLoaded = true;
    } finally {
      loading.unlock();
    }
    return live.current();
  }

  @Override
  public void close() {
    catalogs.close();
  }
}
