package dev.berth.control;

import dev.berth.decisions.Market;
import dev.berth.model.Candidate;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import dev.berth.spi.QualifiedOffer;
import dev.berth.spi.Trait;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Asks the backends that sell for their offers, while somebody needs them, and keeps the last
 * answers. A step machine: {@link #step} may be called by one thread at a time.
 */
final class MarketWatch {
  private static final System.Logger LOG = System.getLogger(MarketWatch.class.getName());

  /** Providers are not asked more often than this, however many wait. */
  static final Duration FRESH = Duration.ofSeconds(5);

  /** Jobs without a machine of their own run where the backend itself runs them. */
  private final Map<String, Compute> backends;

  private final Function<String, String> types;
  private final InstantSource clock;
  private final Runnable changed;

  /** The last answer of each backend. Written by the stepping thread. */
  private final Map<String, List<Candidate>> answers = new ConcurrentHashMap<>();

  private final Semaphore bell = new Semaphore(0);
  private volatile Market market = Market.NONE;

  /** When the backends were last asked. Only the stepping thread touches it. */
  private Instant asked = Instant.EPOCH;

  /**
   * Asks nobody yet.
   *
   * @param backends may change while this is used
   * @param types the type of a backend, by its name
   */
  MarketWatch(
      Map<String, Compute> backends,
      Function<String, String> types,
      InstantSource clock,
      Runnable changed) {
    this.backends = backends;
    this.types = types;
    this.clock = clock;
    this.changed = changed;
    publish();
  }

  Market market() {
    return market;
  }

  /** Somebody waits for an offer, or the backends are not what they were. Safe for any thread. */
  void ring() {
    bell.release();
  }

  /** Waits until somebody rang, and until the last answers are old enough to ask again. */
  void awaitRing() throws InterruptedException {
    bell.acquire();
    long early = early();
    while (early > 0 && everyoneAnswered()) {
      // More rings change nothing, unless a backend came that was never asked.
      bell.tryAcquire(early, TimeUnit.MILLISECONDS);
      early = early();
    }
    bell.drainPermits();
  }

  /** For how many milliseconds the last answers are fresh. */
  private long early() {
    return Duration.between(clock.instant(), asked.plus(FRESH)).toMillis();
  }

  private boolean everyoneAnswered() {
    return sellers().allMatch(answers::containsKey);
  }

  /** Asks all who sell, and tells when what they say is not what they said. */
  void step() {
    asked = clock.instant();
    answers.keySet().retainAll(backends.keySet());
    sellers().forEach(name -> answers.put(name, ask(name)));
    Market before = market;
    publish();
    if (!before.equals(market)) {
      changed.run();
    }
  }

  private java.util.stream.Stream<String> sellers() {
    return backends.entrySet().stream()
        .filter(entry -> entry.getValue().runtime().isPresent())
        .filter(entry -> entry.getValue().offers() instanceof Offers.Live)
        .filter(entry -> entry.getValue().traits().has(Trait.IMAGES))
        .map(Map.Entry::getKey)
        .sorted();
  }

  private void publish() {
    List<Candidate> all = new ArrayList<>();
    answers.values().forEach(all::addAll);
    market = new Market(all, everyoneAnswered());
  }

  /** What a backend says now; where it does not answer, what it said before. */
  private List<Candidate> ask(String name) {
    Compute compute = backends.get(name);
    List<Candidate> before = answers.getOrDefault(name, List.of());
    if (compute == null || !(compute.offers() instanceof Offers.Live live)) {
      return before;
    }
    try {
      List<CatalogItem> items = live.source().fetch(OfferFilter.ANY, true).items();
      String type = types.apply(name);
      boolean privileged = compute.traits().has(Trait.PRIVILEGED);
      return compute.qualify(items).stream()
          .map(offer -> candidate(name, type, offer, privileged))
          .toList();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "The offers of " + name + " could not be had", e);
      return before;
    }
  }

  private static Candidate candidate(
      String name, String type, QualifiedOffer offer, boolean privileged) {
    return new Candidate(name, type, offer.item(), offer.availability(), offer.zones(), privileged);
  }
}
