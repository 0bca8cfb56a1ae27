package dev.berth.control.offers;

import dev.berth.catalog.Accounting;
import dev.berth.catalog.SnapshotContent;
import dev.berth.catalog.index.Snapshot;
import dev.berth.control.MachineConnector;
import dev.berth.decisions.OfferAnswer;
import dev.berth.decisions.OfferRequirement;
import dev.berth.model.Candidate;
import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A cache of offers with a clock that stands still, whose calls a test makes when it likes. */
final class OfferWorld implements InstantSource, CatalogSource {
  static final Instant BEGIN = Instant.parse("2026-11-01T12:00:00Z");

  final Map<String, dev.berth.spi.Compute> backends = new ConcurrentHashMap<>();
  final Map<String, Snapshot> catalog = new TreeMap<>();

  /** Sources that need no account. */
  final List<OfferSource> online = new ArrayList<>();

  /** Backends whose calls wait until a test makes them. */
  final Map<String, Deque<Runnable>> held = new HashMap<>();

  /** What machines do first. */
  MachineConnector.Boots boots = MachineConnector.Boots.NONE;

  final OfferCache cache;
  private Instant now = BEGIN;
  private int told;

  OfferWorld() {
    this(Limits.USUAL);
  }

  OfferWorld(Limits limits) {
    this.cache =
        new OfferCache(
            backends,
            _ -> "cloud",
            compute ->
                compute
                    .runtime()
                    .map(_ -> new MachineConnector.Equipment(Candidate.Execution.BACKEND, boots)),
            this,
            this::call,
            () -> told++,
            limits);
    cache.readFrom(this);
  }

  private void call(String backend, Runnable call) {
    Deque<Runnable> waiting = held.get(backend);
    if (waiting == null) {
      call.run();
    } else {
      waiting.add(call);
    }
  }

  TestSeller live(String name, CatalogItem... items) {
    TestSeller seller = new TestSeller(List.of(items));
    backends.put(name, seller);
    return seller;
  }

  TestSeller catalogued(String name, List<CatalogItem> items) {
    TestSeller seller = new TestSeller(name);
    catalog.put(name, snapshot(name, items));
    backends.put(name, seller);
    return seller;
  }

  static Snapshot snapshot(String name, List<CatalogItem> items) {
    return Snapshot.inMemory(
        new SnapshotContent(
            name,
            null,
            TestSeller.COLLECTED,
            new Accounting(items.size(), items.size(), 0, 0, 0, 0, Map.of()),
            items,
            List.of()));
  }

  void hold(String backend) {
    held.put(backend, new ArrayDeque<>());
  }

  /** Makes the calls that were held. */
  void release(String backend) {
    Deque<Runnable> calls = held.remove(backend);
    if (calls != null) {
      calls.forEach(Runnable::run);
    }
    settle();
  }

  /** Steps until nothing is due. */
  void settle() {
    while (cache.next(now).filter(at -> !at.isAfter(now)).isPresent()) {
      cache.step();
    }
  }

  void pass(Duration time) {
    now = now.plus(time);
    settle();
  }

  /** The loop asks. */
  OfferAnswer ask(OfferRequirement requirement) {
    return ask(requirement, Instant.MIN);
  }

  OfferAnswer ask(OfferRequirement requirement, Instant since) {
    cache.want(Map.of(requirement, since));
    settle();
    return cache.view().offers(requirement);
  }

  /** How often the loop was told since this was asked before. */
  int told() {
    int before = told;
    told = 0;
    return before;
  }

  static List<String> names(OfferAnswer answer) {
    return answer.candidates().stream().map(OfferWorld::name).toList();
  }

  static String name(Candidate candidate) {
    return candidate.backend() + "/" + candidate.item().instanceType();
  }

  static OfferRequirement anything() {
    return OfferRequirement.of("main", OfferFilter.ANY);
  }

  static OfferRequirement ofTypes(String... types) {
    OfferFilter any = OfferFilter.ANY;
    return OfferRequirement.of(
        "main",
        new OfferFilter(
            any.providers(),
            any.regions(),
            any.zones(),
            any.countries(),
            Set.of(types),
            null,
            null,
            null,
            null,
            any.gpu(),
            null,
            null,
            null,
            false));
  }

  static CatalogItem item(String type, double price) {
    return item(type, "eu-1", null, price, 0);
  }

  static CatalogItem item(
      String type, String region, @Nullable String zone, double price, int gpus) {
    return new CatalogItem(
        "cloud",
        type,
        region,
        zone,
        price,
        16,
        CpuArchitecture.X86,
        65_536,
        gpus == 0 ? null : new CatalogItem.Gpu(AcceleratorVendor.NVIDIA, "A100", gpus, 81_920),
        null,
        false,
        List.of(),
        CatalogItem.NO_PROVIDER_DATA,
        List.of());
  }

  /** So many types, each dearer than the one before. */
  static List<CatalogItem> many(int number) {
    List<CatalogItem> items = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      items.add(item("type-" + i, 1 + i / 1000.0));
    }
    return items;
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public Optional<Snapshot> snapshot(String source) {
    return Optional.ofNullable(catalog.get(source));
  }

  @Override
  public Optional<Snapshot> snapshot(String backend, String source) {
    return Optional.ofNullable(catalog.get(backend + "/" + source));
  }

  @Override
  public List<OfferSource> online() {
    return online;
  }
}
