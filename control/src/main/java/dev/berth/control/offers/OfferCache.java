package dev.berth.control.offers;

import dev.berth.control.MachineConnector;
import dev.berth.decisions.OfferRequirement;
import dev.berth.decisions.OfferView;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Looks up the offers that requirements can be met with, and keeps them while somebody asks for
 * them. Every backend is asked at the same time as the others, once for all who ask the same; one
 * that fails or is too slow holds up nobody, and its last good answer stands in.
 *
 * <p>A step machine: {@link #step} may be called by one thread at a time, everything else by any.
 * Backends are asked without the lock.
 */
public final class OfferCache {
  private static final System.Logger LOG = System.getLogger(OfferCache.class.getName());

  private final Map<String, Compute> backends;
  private final Function<String, String> types;
  private final Function<Compute, Optional<MachineConnector.Equipment>> equipment;
  private final InstantSource clock;
  private final Leaf leaf;
  private final Runnable changed;
  private final Limits limits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition published = lock.newCondition();

  /** Guarded by the lock. */
  private final OfferBook book;

  /** Guarded by the lock. */
  private final RecentFailures failures = new RecentFailures();

  /** Backends that are about to be let go, of which nothing may be bought. Guarded by the lock. */
  private final Set<String> closing = new HashSet<>();

  /** Whether a step has something to do at once. Guarded by the lock. */
  private boolean called;

  /** Whether the loop has to be told. Guarded by the lock. */
  private boolean tell;

  /** Written once, before anything starts. */
  private volatile CatalogSource catalog = CatalogSource.NONE;

  /** Written under the lock. */
  private volatile OfferSnapshot snapshot = new OfferSnapshot(Map.of(), true, Map.of());

  /** Where backends are asked. */
  public interface Leaf {
    /** Asks a backend, now or later, in this thread or another one. */
    void lookUp(String backend, Runnable call);
  }

  /**
   * Asks nobody yet.
   *
   * @param backends may change while this is used
   * @param types the type of a backend, by its name
   * @param equipment how jobs would run on what a backend sells; where it is empty, nothing is
   *     bought
   * @param changed told when there are other offers for who waits in the loop
   */
  public OfferCache(
      Map<String, Compute> backends,
      Function<String, String> types,
      Function<Compute, Optional<MachineConnector.Equipment>> equipment,
      InstantSource clock,
      Leaf leaf,
      Runnable changed,
      Limits limits) {
    this.backends = backends;
    this.types = types;
    this.equipment = equipment;
    this.clock = clock;
    this.leaf = leaf;
    this.changed = changed;
    this.limits = limits;
    this.book = new OfferBook(limits);
    refresh();
  }

  /** Says where the catalog is. Called before anything starts. */
  public void readFrom(CatalogSource source) {
    catalog = source;
  }

  /** What is known now. */
  public OfferView view() {
    return snapshot;
  }

  /** The loop asks, each with the time since which answers are new enough. */
  public void want(Map<OfferRequirement, Instant> wanted) {
    if (wanted.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    lock.lock();
    try {
      boolean due = false;
      for (Map.Entry<OfferRequirement, Instant> one : wanted.entrySet()) {
        due |= book.want(one.getKey(), one.getValue(), now);
      }
      if (due) {
        call();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The loop forgot what it asked for: it is told at once, and asks again. */
  public void loopStartsAnew() {
    lock.lock();
    try {
      tell = true;
      call();
    } finally {
      lock.unlock();
    }
  }

  /**
   * What is there for somebody who waits, at most so long and no longer for a slow backend than its
   * deadline.
   *
   * @param depth so many offers of a catalog are looked at, at least
   */
  public OfferView await(Collection<OfferRequirement> wanted, int depth, Duration atMost)
      throws InterruptedException {
    List<OfferRequirement> requirements = wanted.stream().distinct().toList();
    lock.lock();
    try {
      Instant began = clock.instant();
      requirements.forEach(one -> book.use(one, depth, began));
      call();
      long left = atMost.toNanos();
      while (left > 0) {
        Instant now = clock.instant();
        Duration pause = book.pause(requirements, began.minus(limits.fresh()), now);
        if (pause.isZero()) {
          break;
        }
        long nanos = Math.min(left, pause.toNanos());
        left -= nanos - published.awaitNanos(nanos);
      }
      publish();
      if (tell) {
        call();
      }
      return snapshot;
    } finally {
      lock.unlock();
    }
  }

  /** The same of one requirement, with what people want to know of it. */
  public OfferListing list(OfferRequirement requirement, int depth, Duration atMost)
      throws InterruptedException {
    await(List.of(requirement), depth, atMost);
    lock.lock();
    try {
      return book.listing(requirement, clock.instant());
    } finally {
      lock.unlock();
    }
  }

  /** Takes a backend's offers away, before it is let go. */
  public void close(String backend) {
    lock.lock();
    try {
      closing.add(backend);
    } finally {
      lock.unlock();
    }
    refresh();
  }

  /** A backend stays after all, or another one of that name comes. */
  public void open(String backend) {
    lock.lock();
    try {
      closing.remove(backend);
      // From now on nothing is complete without its answer.
      book.forget(backend);
    } finally {
      lock.unlock();
    }
    refresh();
  }

  /** An offer could not be had: for a while nobody tries it again. */
  public void failed(String key) {
    lock.lock();
    try {
      failures.offer(key, clock.instant());
      publishFailures();
    } finally {
      lock.unlock();
    }
  }

  /** Machines of an area cannot be near each other: for a while no cluster is tried there. */
  public void failedTogether(String area) {
    lock.lock();
    try {
      failures.area(area, clock.instant());
      publishFailures();
    } finally {
      lock.unlock();
    }
  }

  private void publishFailures() {
    snapshot =
        new OfferSnapshot(
            snapshot.answers(), snapshot.isEmpty(), failures.current(clock.instant()));
  }

  /** Ends every question that is open; nobody is asked any more unless somebody steps. */
  public void close() {
    lock.lock();
    try {
      book.abandonAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until a step has something to do. */
  public void awaitWork() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        Instant now = clock.instant();
        Instant next = next(now).orElse(null);
        if (next == null) {
          work.await();
        } else if (next.isAfter(now)) {
          work.awaitNanos(Duration.between(now, next).toNanos());
        } else {
          return;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** When the next step is due; empty where nobody asks. */
  public Optional<Instant> next(Instant now) {
    lock.lock();
    try {
      return called ? Optional.of(now) : book.next(now);
    } finally {
      lock.unlock();
    }
  }

  /** Asks whoever has to be asked, and tells what is known since. */
  public void step() {
    Map<String, Seller> sellers = sellers();
    List<OfferBook.Call> calls = new ArrayList<>();
    lock.lock();
    try {
      called = false;
      sellers.keySet().removeAll(closing);
      book.sellers(sellers);
      calls.addAll(book.begin(clock.instant()));
    } finally {
      lock.unlock();
    }
    calls.forEach(one -> leaf.lookUp(one.seller().key(), () -> ask(one)));
    boolean told;
    lock.lock();
    try {
      publish();
      told = tell;
      tell = false;
    } finally {
      lock.unlock();
    }
    if (told) {
      changed.run();
    }
  }

  private void ask(OfferBook.Call one) {
    lock.lock();
    try {
      if (!one.flight().take(Thread.currentThread())) {
        return;
      }
    } finally {
      lock.unlock();
    }
    BackendQuery.Found found = null;
    String problem = "it gave no answer";
    try {
      found =
          new BackendQuery(one.seller(), catalog, limits).run(one.items(), one.flight().depth());
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      // A plug-in may fail in its own ways; whoever asks goes on with the others.
      LOG.log(
          System.Logger.Level.WARNING, "The offers of " + one.seller().key() + " are not known", e);
      problem = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
    lock.lock();
    try {
      one.flight().done();
      if (found == null) {
        book.failed(one, problem);
      } else {
        book.answered(one, found, clock.instant());
      }
      published.signalAll();
      call();
    } finally {
      lock.unlock();
    }
  }

  private void call() {
    called = true;
    work.signalAll();
  }

  private void refresh() {
    Map<String, Seller> sellers = sellers();
    lock.lock();
    try {
      sellers.keySet().removeAll(closing);
      book.sellers(sellers);
      publish();
      call();
    } finally {
      lock.unlock();
    }
  }

  private void publish() {
    OfferBook.Published now = book.publish();
    tell |= now.tell();
    snapshot = new OfferSnapshot(now.answers(), book.isEmpty(), failures.current(clock.instant()));
    published.signalAll();
  }

  /** Those that sell and run what is bought; one that cannot even say so does not. */
  private Map<String, Seller> sellers() {
    Map<String, Seller> sellers = new TreeMap<>();
    backends.forEach(
        (key, compute) -> {
          try {
            if (!(compute.offers() instanceof Offers.OwnMachines)) {
              equipment
                  .apply(compute)
                  .ifPresent(
                      runBy -> sellers.put(key, Seller.of(key, types.apply(key), compute, runBy)));
            }
          } catch (RuntimeException | LinkageError e) {
            LOG.log(System.Logger.Level.ERROR, "What " + key + " sells is not known", e);
          }
        });
    return sellers;
  }
}
