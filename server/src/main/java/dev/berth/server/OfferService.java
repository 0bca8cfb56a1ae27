package dev.berth.server;

import dev.berth.catalog.CatalogException;
import dev.berth.catalog.CatalogOffer;
import dev.berth.catalog.OfferAnswers;
import dev.berth.catalog.OfferAnswers.Shown;
import dev.berth.catalog.index.Catalog;
import dev.berth.catalog.index.GroupKey;
import dev.berth.catalog.index.Snapshot;
import dev.berth.catalog.places.Providers;
import dev.berth.control.ControlPlane;
import dev.berth.control.offers.OfferListing;
import dev.berth.decisions.OfferRequirement;
import dev.berth.grammar.OfferQuestion;
import dev.berth.model.BackendKey;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferRequest;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Answers questions for offers: what the project's backends sell, as placement sees it, machines
 * that are there, and what others sell, marked as such.
 */
final class OfferService {
  /** Whoever wants more says so, so that one question does not fill the memory of the server. */
  private static final int MOST_OFFERS = 10_000;

  private final CatalogService catalog;
  private final ControlPlane control;
  private final BackendWords words;
  private final InstantSource clock;

  OfferService(
      CatalogService catalog, ControlPlane control, BackendWords words, InstantSource clock) {
    this.catalog = catalog;
    this.control = control;
    this.words = words;
    this.clock = clock;
  }

  OfferList offers(String project, OfferRequest request) throws InterruptedException {
    OfferFilter filter;
    List<GroupKey> keys;
    try {
      filter = OfferAnswers.byAnyName(OfferQuestion.filter(request));
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
    int most = limit == null || !keys.isEmpty() ? MOST_OFFERS : limit;
    List<String> notes = new ArrayList<>();
    Set<String> asked = filter.providers();
    // Who sells is decided by the names and types of backends, which offers do not know.
    OfferFilter anybody = filter.withProviders(Set.of());
    if (looksBeyondMachines(project, asked)) {
      catalog.fetch().ifPresent(notes::add);
    }
    OfferListing sold =
        control.offers(OfferRequirement.of(project, backends(project, asked), anybody), most);
    Answer answer = new Answer(project, asked, anybody, most, sold);
    notes.addAll(catalog.warnings());
    sold.warnings().forEach((key, why) -> notes.add(BackendKey.name(key) + " " + why));
    notes.addAll(answer.notConfigured(request.backends()));
    if (!keys.isEmpty()) {
      return OfferAnswers.groups(answer.catalog(), anybody, keys, notes);
    }
    OfferList list = answer.list(notes);
    if (limit != null || list.total() <= most) {
      return list;
    }
    notes.add(
        "these are the cheapest %d of %d offers; filter more, or ask for more with --max-offers"
            .formatted(most, list.total()));
    return new OfferList(list.total(), list.offers(), null, notes);
  }

  private static ApiException refusal(String field, String sentence) {
    return ApiException.ofField(422, "field", field, sentence);
  }

  /** Whether a question is about more than the machines that the project's backends have. */
  private boolean looksBeyondMachines(String project, Set<String> asked) {
    Set<String> here = new HashSet<>();
    control
        .backends()
        .forEach(
            (key, compute) -> {
              if (BackendKey.isFor(project, key)
                  && compute.offers() instanceof Offers.OwnMachines) {
                here.add(words.typeOf(key));
                here.add(BackendKey.name(key));
              }
            });
    return asked.isEmpty() || !here.containsAll(asked);
  }

  /** The backends that somebody asks for; empty for all, and words that none has for none. */
  private List<String> backends(String project, Set<String> asked) {
    List<String> names =
        control.backends().keySet().stream()
            .filter(key -> BackendKey.isFor(project, key) && isAskedFor(key, asked))
            .map(BackendKey::name)
            .toList();
    return names.isEmpty() ? List.copyOf(asked) : names;
  }

  /** Whether a backend is asked for by its name, its type, or the catalog's name for it. */
  private boolean isAskedFor(String key, Set<String> asked) {
    Compute compute = control.backends().get(key);
    return asked.isEmpty()
        || asked.contains(BackendKey.name(key))
        || asked.contains(words.typeOf(key))
        || (compute != null
            && compute.offers() instanceof Offers.Catalogued(String source)
            && asked.contains(source));
  }

  /** One answer, out of what is sold here and what stands besides it. */
  private final class Answer {
    private final OfferFilter filter;
    private final int most;
    private final OfferListing sold;
    private final Map<String, String> types;

    /** The sources of what is sold here, each with the backend's key. */
    private final Map<String, String> sellers = new HashMap<>();

    /** Machines, and what others sell. */
    private final Map<String, Snapshot> beside = new TreeMap<>();

    /** What is known of those beside, by the names of their sources. */
    private final Map<String, String> availability = new HashMap<>();

    Answer(String project, Set<String> asked, OfferFilter filter, int most, OfferListing sold) {
      this.filter = filter;
      this.most = most;
      this.sold = sold;
      this.types = words.of(project);
      Set<String> keys = new HashSet<>(sold.collectedAt().keySet());
      keys.addAll(sold.warnings().keySet());
      keys.forEach(this::addSeller);
      for (Snapshot snapshot : catalog.current().snapshots()) {
        if (!sellers.containsKey(snapshot.source())
            && (asked.isEmpty() || asked.contains(snapshot.source()))) {
          beside.put(snapshot.source(), snapshot);
          availability.put(snapshot.source(), CatalogService.NOT_CONFIGURED);
        }
      }
      control
          .machines()
          .forEach(
              (key, machines) -> {
                String name = BackendKey.name(key);
                if (!machines.isEmpty()
                    && BackendKey.isFor(project, key)
                    && isAskedFor(key, asked)) {
                  availability.put(name, "available");
                  // What is there is known better than what a catalog says of it.
                  beside.put(
                      name,
                      Snapshot.inMemory(MachineOffers.content(name, machines, clock.instant())));
                }
              });
    }

    private void addSeller(String key) {
      Compute compute = control.backends().get(key);
      if (compute != null && compute.offers() instanceof Offers.Catalogued(String source)) {
        Providers.same(source).forEach(name -> sellers.put(name, key));
      } else {
        Providers.same(words.typeOf(key)).forEach(name -> sellers.put(name, key));
      }
    }

    OfferList list(List<String> notes) {
      List<Shown> shown = new ArrayList<>();
      sold.answer()
          .candidates()
          .forEach(
              candidate ->
                  shown.add(
                      new Shown(
                          new CatalogOffer(
                              candidate.item(),
                              candidate.backend(),
                              sold.collectedAt().getOrDefault(candidate.backend(), clock.instant()),
                              null),
                          candidate.availability().word())));
      List<Shown> suspects = suspects();
      shown.addAll(suspects);
      long besideTotal =
          OfferAnswers.collect(Catalog.of(beside.values()), filter, most, availability, shown);
      return OfferAnswers.list(
          shown, sold.total() + suspects.size() + besideTotal, most, notes, clock.instant());
    }

    /** Offers with absurd prices are never sold, and shown to whoever asks for them. */
    private List<Shown> suspects() {
      List<Shown> suspects = new ArrayList<>();
      if (filter.includeSuspect()) {
        soldSnapshots()
            .forEach(
                (key, snapshot) ->
                    Catalog.of(List.of(snapshot)).query(filter, Integer.MAX_VALUE).offers().stream()
                        .filter(offer -> offer.suspect() != null)
                        .forEach(
                            offer ->
                                suspects.add(
                                    new Shown(
                                        new CatalogOffer(
                                            offer.item(),
                                            key,
                                            offer.collectedAt(),
                                            offer.suspect()),
                                        "unknown"))));
      }
      return suspects;
    }

    /** The snapshots of which this project's backends sell, by the keys of the backends. */
    private Map<String, Snapshot> soldSnapshots() {
      Map<String, Snapshot> snapshots = new TreeMap<>();
      for (Snapshot snapshot : catalog.current().snapshots()) {
        String key = sellers.get(snapshot.source());
        Compute compute = key == null ? null : control.backends().get(key);
        if (compute != null && compute.offers() instanceof Offers.Catalogued) {
          snapshots.put(String.valueOf(key), snapshot);
        }
      }
      return snapshots;
    }

    /** All of it to be counted: where not all that is sold was looked at, what the catalog says. */
    Catalog catalog() {
      Map<String, Snapshot> all = new TreeMap<>(beside);
      Map<String, Snapshot> whole = soldSnapshots();
      sold.collectedAt()
          .forEach(
              (key, collectedAt) -> {
                Snapshot snapshot = whole.get(key);
                all.put(
                    key,
                    sold.answer().complete() || snapshot == null
                        ? Snapshot.inMemory(
                            OfferAnswers.content(
                                key,
                                collectedAt,
                                sold.answer().candidates().stream()
                                    .filter(candidate -> candidate.backend().equals(key))
                                    .map(candidate -> candidate.item())
                                    .toList()))
                        : snapshot);
              });
      return Catalog.of(all.values());
    }

    /** Lines about providers that were asked for and cannot be used. */
    List<String> notConfigured(List<String> asked) {
      Set<String> configured = new HashSet<>(types.keySet());
      types.values().forEach(type -> configured.addAll(Providers.same(type)));
      Set<String> offered = new HashSet<>();
      beside.keySet().forEach(source -> offered.addAll(Providers.same(source)));
      return asked.stream()
          .distinct()
          .filter(one -> Providers.same(one).stream().noneMatch(configured::contains))
          .sorted()
          .map(
              one ->
                  "no backend '%s' is configured, %s"
                      .formatted(
                          one,
                          offered.contains(one.toLowerCase(Locale.ROOT))
                              ? "so its offers cannot be used here"
                              : "and the catalog has no offers of it"))
          .toList();
    }
  }
}
