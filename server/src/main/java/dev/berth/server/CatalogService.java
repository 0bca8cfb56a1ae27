package dev.berth.server;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.CatalogOffer;
import dev.berth.catalog.OfferAnswers;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.collect.CatalogFolder;
import dev.berth.catalog.collect.KnownSources;
import dev.berth.catalog.collect.OnlineAnswer;
import dev.berth.catalog.collect.OnlineOffers;
import dev.berth.catalog.defaults.CatalogHealth;
import dev.berth.catalog.defaults.CatalogInUse;
import dev.berth.catalog.defaults.DefaultCatalog;
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
import dev.berth.model.Wishes;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.api.OfferView;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import dev.berth.spi.Offers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions for offers: of the catalog, of online sources, and of machines that are there.
 */
final class CatalogService implements AutoCloseable {
  /** As availability: no backend of the project could sell it. */
  static final String NOT_CONFIGURED = "not_configured";

  /** Whoever wants more says so, so that one question does not fill the memory of the server. */
  private static final int MOST_OFFERS = 10_000;

  /** So many offers are looked at for those that stand in a plan. */
  private static final int LOOKED_AT_FOR_PLAN = 1_000;

  private static final int MOST_ELSEWHERE = 3;

  private final DefaultCatalog catalogs;
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
      DefaultCatalog catalogs,
      Engine engine,
      BackendWords words,
      OnlineOffers online,
      InstantSource clock) {
    this.catalogs = catalogs;
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
      throw refusal("max_offers", "expected a positive whole number");
    }
    List<String> notes = new ArrayList<>();
    Map<String, String> availability = new HashMap<>();
    Catalog all = everywhere(project, filter, availability, notes);
    if (!keys.isEmpty()) {
      return OfferAnswers.groups(all, filter, keys, notes);
    }
    int most = limit == null ? MOST_OFFERS : limit;
    OfferList answer = OfferAnswers.offers(all, filter, most, availability, notes, clock.instant());
    if (limit != null || answer.total() <= most) {
      return answer;
    }
    notes.add(
        "these are the cheapest %d of %d offers; filter more, or ask for more with --max-offers"
            .formatted(most, answer.total()));
    return new OfferList(answer.total(), answer.offers(), null, notes);
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

  private static ApiException refusal(String field, String sentence) {
    return ApiException.ofField(422, "field", field, sentence);
  }

  private static Set<String> configured(Map<String, String> types) {
    Set<String> configured = new HashSet<>();
    types.values().forEach(type -> configured.addAll(Providers.same(type)));
    return configured;
  }

  /** Whether a question is about more than the machines that the project's backends have. */
  private boolean looksBeyondMachines(String project, OfferFilter filter) {
    Set<String> here = new HashSet<>();
    engine
        .backends()
        .forEach(
            (key, compute) -> {
              if (BackendKey.isFor(project, key)
                  && compute.offers() instanceof Offers.OwnMachines) {
                here.add(words.typeOf(key));
              }
            });
    return filter.providers().isEmpty() || !here.containsAll(filter.providers());
  }

  /** What the project's backends have, and what others sell, marked as such. */
  private Catalog everywhere(
      String project, OfferFilter filter, Map<String, String> availability, List<String> notes)
      throws InterruptedException {
    Map<String, String> types = words.of(project);
    Set<String> configured = configured(types);
    if (looksBeyondMachines(project, filter)) {
      Optional.ofNullable(catalogs.use(DefaultCatalog.PATIENCE).note()).ifPresent(notes::add);
    }
    Map<String, Snapshot> usable = new TreeMap<>();
    Set<String> sold = new HashSet<>();
    for (Snapshot snapshot : current().snapshots()) {
      usable.put(snapshot.source(), snapshot);
      sold.addAll(Providers.same(snapshot.source()));
      if (!configured.contains(snapshot.source())) {
        availability.put(snapshot.source(), NOT_CONFIGURED);
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
        .map(asked -> notConfigured(asked, types.get(asked), sold.contains(lower(asked))))
        .forEach(notes::add);
    return Catalog.of(usable.values());
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  private static String notConfigured(String asked, @Nullable String type, boolean isSold) {
    if (type != null) {
      return "'%s' is a backend of the type '%s'; ask for offers of the type"
          .formatted(asked, type);
    }
    return "no backend '%s' is configured, %s"
        .formatted(
            asked,
            isSold ? "so its offers cannot be used here" : "and the catalog has no offers of it");
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
    online.close();
  }
}
