package dev.berth.control;

import dev.berth.decisions.Market;
import dev.berth.model.Candidate;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import dev.berth.spi.QualifiedOffer;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Asks the backends that sell for their offers, while somebody needs them, and keeps the last
 * answers. A step machine: {@link #step} may be called by one thread at a time.
 */
final class MarketWatch {
  private static final System.Logger LOG = System.getLogger(MarketWatch.class.getName());

  /** Providers are not asked more often than this, however many wait. */
  static final Duration FRESH = Duration.ofSeconds(5);

  /**
   * What could not be had is not tried by others for so long. Longer than the first pause of a
   * fleet, which would otherwise try the same offer again and never the next.
   */
  private static final Duration FORGET_FAILURES_AFTER = Duration.ofSeconds(90);

  /** Longer, because a fleet's first pauses are long, and it shall go elsewhere then. */
  private static final Duration FORGET_AREAS_AFTER = Duration.ofMinutes(10);

  /** Jobs without a machine of their own run where the backend itself runs them. */
  private final Map<String, Compute> backends;

  private final Function<String, String> types;
  private final MachineConnector connector;
  private final InstantSource clock;
  private final Runnable changed;

  /** The last answer of each backend. Guarded by the lock. */
  private final Map<String, List<Candidate>> answers = new HashMap<>();

  /** Backends that were asked, whether they answered or not. Guarded by the lock. */
  private final Set<String> asked = new HashSet<>();

  /** Backends that are about to be let go, of which nothing may be bought. Guarded by the lock. */
  private final Set<String> closing = new HashSet<>();

  /** Offers that could not be had, with when that is forgotten. Guarded by the lock. */
  private final Map<String, Instant> failures = new HashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition published = lock.newCondition();
  private final Semaphore bell = new Semaphore(0);

  /** Written under the lock. */
  private volatile Market market = Market.NONE;

  /** Written under the lock. */
  private volatile boolean selling;

  /** When the backends were last asked. Guarded by the lock. */
  private Instant askedAt = Instant.EPOCH;

  /**
   * Asks nobody yet.
   *
   * @param backends may change while this is used
   * @param types the type of a backend, by its name
   */
  MarketWatch(
      Map<String, Compute> backends,
      Function<String, String> types,
      MachineConnector connector,
      InstantSource clock,
      Runnable changed) {
    this.backends = backends;
    this.types = types;
    this.connector = connector;
    this.clock = clock;
    this.changed = changed;
    publish(sellers());
  }

  Market market() {
    return market;
  }

  /** What is sold now, or what was known before where nobody answers so soon. */
  Market await(Duration atMost) throws InterruptedException {
    Instant wanted = clock.instant().minus(FRESH);
    ring();
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (left > 0 && (!market.complete() || market.asOf().isBefore(wanted))) {
        left = published.awaitNanos(left);
      }
      return market;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a backend's offers away, before it is let go. */
  void close(String backend) {
    lock.lock();
    try {
      closing.add(backend);
      answers.remove(backend);
    } finally {
      lock.unlock();
    }
    publish(sellers());
  }

  /** A backend stays after all, or another one of that name comes. */
  void open(String backend) {
    lock.lock();
    try {
      closing.remove(backend);
      asked.remove(backend);
    } finally {
      lock.unlock();
    }
    // From now on nothing is complete without its answer.
    publish(sellers());
    ring();
  }

  /** Somebody waits for an offer. Safe for any thread. */
  void ring() {
    bell.release();
  }

  /** Whether any backend sells, so that it is worth to ring. */
  boolean isOpen() {
    return selling;
  }

  /** Waits until somebody rang, and until the last answers are old enough to ask again. */
  void awaitRing() throws InterruptedException {
    bell.acquire();
    long early = early();
    while (early > 0 && everyoneWasAsked()) {
      // More rings change nothing, unless a backend came that was never asked.
      bell.tryAcquire(early, TimeUnit.MILLISECONDS);
      early = early();
    }
    bell.drainPermits();
  }

  /** When the next step is due; empty where nobody rang. */
  Optional<Instant> next(Instant now) {
    if (bell.availablePermits() == 0) {
      return Optional.empty();
    }
    long early = early();
    return Optional.of(early > 0 && everyoneWasAsked() ? now.plusMillis(early) : now);
  }

  /** For how many milliseconds the last answers are fresh. */
  private long early() {
    lock.lock();
    try {
      return Duration.between(clock.instant(), askedAt.plus(FRESH)).toMillis();
    } finally {
      lock.unlock();
    }
  }

  private boolean everyoneWasAsked() {
    Set<String> sellers = sellers();
    lock.lock();
    try {
      return asked.containsAll(sellers);
    } finally {
      lock.unlock();
    }
  }

  /** Asks all who sell, and tells when what they say is not what they said. */
  void step() {
    bell.drainPermits();
    Set<String> sellers = sellers();
    lock.lock();
    try {
      askedAt = clock.instant();
      asked.addAll(sellers);
    } finally {
      lock.unlock();
    }
    boolean silent = false;
    for (String name : sellers) {
      Optional<List<Candidate>> answer = ask(name);
      lock.lock();
      try {
        answer.ifPresent(candidates -> answers.put(name, candidates));
        silent |= !answers.containsKey(name);
      } finally {
        lock.unlock();
      }
    }
    Market before = market;
    // Not those from before the calls: one of them may be about to be let go by now.
    publish(sellers());
    if (silent) {
      // Who never answered is asked again when it is time.
      ring();
    }
    if (!before.equals(market)) {
      changed.run();
    }
  }

  /** Those that sell and run what is bought; one that cannot even say so does not. */
  private Set<String> sellers() {
    Set<String> sellers = new TreeSet<>();
    backends.forEach(
        (name, compute) -> {
          try {
            if (compute.offers() instanceof Offers.Live && execution(compute).isPresent()) {
              sellers.add(name);
            }
          } catch (RuntimeException | LinkageError e) {
            LOG.log(System.Logger.Level.ERROR, "What " + name + " sells is not known", e);
          }
        });
    lock.lock();
    try {
      sellers.removeAll(closing);
    } finally {
      lock.unlock();
    }
    return sellers;
  }

  /** Who would run jobs on what is bought there; empty if nobody can. */
  private Optional<Candidate.Execution> execution(Compute compute) {
    if (compute.runtime().isEmpty()) {
      return connector.executionOn(compute);
    }
    return compute.traits().has(Trait.IMAGES)
        ? Optional.of(Candidate.Execution.BACKEND)
        : Optional.empty();
  }

  private void publish(Set<String> sellers) {
    lock.lock();
    try {
      answers.keySet().retainAll(sellers);
      selling = !sellers.isEmpty();
      List<Candidate> all = new ArrayList<>();
      answers.values().forEach(all::addAll);
      market =
          !selling
              ? Market.NONE
              : new Market(all, answers.keySet().containsAll(sellers), askedAt, failures);
      published.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What a backend says now; empty where it does not answer. */
  private Optional<List<Candidate>> ask(String name) {
    try {
      Compute compute = backends.get(name);
      if (compute == null || !(compute.offers() instanceof Offers.Live live)) {
        return Optional.empty();
      }
      List<CatalogItem> items = live.source().fetch(OfferFilter.ANY, true).items();
      String type = types.apply(name);
      return Optional.of(
          compute.qualify(items).stream()
              .map(offer -> candidate(name, type, offer, compute))
              .toList());
    } catch (RuntimeException | LinkageError e) {
      LOG.log(System.Logger.Level.WARNING, "The offers of " + name + " could not be had", e);
      return Optional.empty();
    }
  }

  private Candidate candidate(String name, String type, QualifiedOffer offer, Compute compute) {
    Traits traits = compute.traits();
    return new Candidate(
        name,
        type,
        offer.item(),
        offer.availability(),
        offer.zones(),
        new Candidate.Abilities(
            traits.base() == Traits.Base.MACHINES,
            traits.has(Trait.PRIVILEGED),
            traits.has(Trait.MULTI_NODE),
            traits.has(Trait.RESERVATIONS),
            traits.has(Trait.INSTANCE_VOLUMES),
            placementGroups(compute),
            compute.provisioningTimeout(offer.item().instanceType()),
            execution(compute).orElse(Candidate.Execution.BACKEND)));
  }

  private static Candidate.PlacementGroups placementGroups(Compute compute) {
    if (!compute.traits().has(Trait.PLACEMENT_GROUPS)) {
      return Candidate.PlacementGroups.NONE;
    }
    return compute
        .placementGroups()
        .map(
            groups ->
                groups.allowReservations()
                    ? Candidate.PlacementGroups.ALL
                    : Candidate.PlacementGroups.UNRESERVED)
        .orElse(Candidate.PlacementGroups.NONE);
  }

  /** An offer could not be had: for a while nobody tries it again. */
  void failed(String key) {
    failed(key, FORGET_FAILURES_AFTER);
  }

  /** Machines of an area cannot be near each other: for a while no cluster is tried there. */
  void failedTogether(String area) {
    failed(area, FORGET_AREAS_AFTER);
  }

  private void failed(String key, Duration forgetAfter) {
    lock.lock();
    try {
      Instant now = clock.instant();
      failures.values().removeIf(until -> until.isBefore(now));
      failures.put(key, now.plus(forgetAfter));
      market = market.with(failures);
    } finally {
      lock.unlock();
    }
  }
}
