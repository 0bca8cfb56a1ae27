package dev.berth.server;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.OfferAnswers;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.KnownSources;
import dev.berth.catalog.collect.OnlineAnswer;
import dev.berth.catalog.collect.OnlineOffers;
import dev.berth.catalog.gate.Medians;
import dev.berth.catalog.index.Catalog;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.GroupKey;
import dev.berth.catalog.index.LiveCatalog;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.places.Providers;
import dev.berth.control.Engine;
import dev.berth.grammar.OfferQuestion;
import dev.berth.model.BackendKey;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions for offers: of the catalog, of online sources, and of machines that are there.
 */
final class CatalogService implements AutoCloseable {
  private final CatalogFolder folder;
  private final Engine engine;
  private final BackendWords words;
  private final OnlineOffers online;
  private final InstantSource clock;
  private final LiveCatalog live = new LiveCatalog(Catalog.EMPTY);
  private final ReentrantLock loading = new ReentrantLock();

  /** The newest file of each source when the catalog was last loaded; guarded by the lock. */
  private Map<String, Path> loaded = Map.of();

  /** Whether the catalog was read at least once. Written under the lock. */
  private volatile boolean everLoaded;

  /** What was wrong with files when the catalog was last loaded. Written under the lock. */
  private volatile List<String> warnings = List.of();

  CatalogService(
      CatalogFolder folder,
      Engine engine,
      BackendWords words,
      OnlineOffers online,
      InstantSource clock) {
    this.folder = folder;
    this.engine = engine;
    this.words = words;
    this.online = online;
    this.clock = clock;
  }

  /** The online sources; their prices are judged by what they say themselves. */
  static OnlineOffers onlineSources(List<OfferSource> plugged, InstantSource clock) {
    List<OfferSource> sources = new ArrayList<>();
    KnownSources.onClassPath().forEach(sources::add);
    sources.addAll(plugged);
    sources.removeIf(source -> source.kind() != OfferSource.Kind.ONLINE);
    return new OnlineOffers(sources, clock, OnlineOffers.Limits.USUAL, Medians::of);
  }

  OfferList offers(String project, OfferRequest request) throws InterruptedException {
    OfferFilter filter;
    List<GroupKey> keys;
    try {
      filter = OfferQuestion.filter(request);
    } catch (OfferQuestion.WrongException e) {
      throw refusal(e.field(), String.valueOf(e.getMessage()));
    }
    try {
      keys = OfferAnswers.groupKeys(request.groupBy());
    } catch (CatalogException e) {
      throw refusal("group_by", String.valueOf(e.getMessage()));
    }
    Integer limit = request.maxOffers();
    if (limit != null && limit < 1) {
      throw refusal("max_offers", "expected a whole number from 1 on");
    }
    List<String> notes = new ArrayList<>();
    Map<String, String> availability = new HashMap<>();
    Catalog all = ofBackends(project, filter, availability, notes);
    return keys.isEmpty()
        ? OfferAnswers.offers(all, filter, limit, availability, notes, clock.instant())
        : OfferAnswers.groups(all, filter, keys, notes);
  }

  private static ApiException refusal(String field, String sentence) {
    return ApiException.ofField(422, "field", field, sentence);
  }

  /** What a project could use: only providers that it has a backend for. */
  private Catalog ofBackends(
      String project, OfferFilter filter, Map<String, String> availability, List<String> notes)
      throws InterruptedException {
    Map<String, String> types = words.of(project);
    Set<String> configured = new HashSet<>();
    types.values().forEach(type -> configured.addAll(Providers.same(type)));
    Map<String, Snapshot> usable = new TreeMap<>();
    for (Snapshot snapshot : current().snapshots()) {
      if (configured.contains(snapshot.source())) {
        usable.put(snapshot.source(), snapshot);
      }
    }
    notes.addAll(warnings);
    List<OnlineAnswer> answers = new ArrayList<>(online.ask(liveSources(project), filter, true));
    online.ask(filter, true).stream()
        .filter(answer -> configured.contains(answer.source()))
        .forEach(answers::add);
    for (OnlineAnswer answer : answers) {
      String warning = answer.warning();
      SnapshotContent content = answer.content();
      if (warning != null) {
        notes.add(warning);
      }
      if (content != null) {
        usable.put(answer.source(), Snapshot.inMemory(content));
      }
    }
    engine
        .machines()
        .forEach(
            (key, machines) -> {
              String name = BackendKey.name(key);
              if (!machines.isEmpty() && BackendKey.isFor(project, key)) {
                availability.put(name, "available");
                // What is there is known better than what a catalog says of it.
                usable.put(
                    name,
                    Snapshot.inMemory(MachineOffers.content(name, machines, clock.instant())));
              }
            });
    filter.providers().stream()
        .filter(asked -> Providers.same(asked).stream().noneMatch(configured::contains))
        .sorted()
        .map(asked -> notConfigured(asked, types.get(asked)))
        .forEach(notes::add);
    return Catalog.of(usable.values());
  }

  private static String notConfigured(String asked, @Nullable String type) {
    return type == null
        ? "no backend '" + asked + "' is configured; --catalog-only shows its prices"
        : "'%s' is a backend of the type '%s'; ask for offers of the type".formatted(asked, type);
  }

  /** The sources that open backends bring, each under its backend's key. */
  private List<OfferSource> liveSources(String project) {
    List<OfferSource> sources = new ArrayList<>();
    engine
        .backends()
        .forEach(
            (key, compute) -> {
              if (BackendKey.isFor(project, key) && compute.offers() instanceof Offers.Live live) {
                sources.add(new BackendOffers(key, live.source()));
              }
            });
    return sources;
  }

  /** When each source was collected. */
  Map<String, Instant> collected() {
    Map<String, Instant> collected = new TreeMap<>();
    current()
        .snapshots()
        .forEach(snapshot -> collected.put(snapshot.source(), snapshot.collectedAt()));
    return collected;
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
    online.close();
  }
}
