package dev.berth.control;

import dev.berth.ledger.FencedException;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.LedgerException;
import dev.berth.ledger.Tenure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives signs of life under a tenure again and again, on a thread of its own, and knows how long
 * ago the last one was accepted.
 */
public final class Lease implements Leadership, AutoCloseable {
  /** After such a silence others take a server for dead. */
  public static final Duration SILENCE = Duration.ofSeconds(8);

  private static final System.Logger LOG = System.getLogger(Lease.class.getName());
  private static final Duration RENEW_EVERY = Duration.ofSeconds(2);

  /**
   * So long after an accepted sign of life nobody can have taken over. The other half is for a call
   * to get on its way.
   */
  static final Duration TRUSTED = SILENCE.dividedBy(2);

  private final Ledger ledger;
  private final Supplier<Tenure> tenure;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Consumer<Throwable> lost;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().name("berth-lease").daemon().unstarted(this::run);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** When the last accepted sign was sent. Guarded by the lock. */
  private @Nullable Moment accepted;

  /**
   * A moment by both clocks: the one stands still while a machine is suspended, the other can be
   * set.
   */
  private record Moment(Instant wall, long nanos) {}

  /**
   * Gives no sign yet.
   *
   * @param tenure under which signs are given, as it is then
   * @param nanoTime as that of the system
   * @param lost hears that another server took over
   */
  Lease(
      Ledger ledger,
      Supplier<Tenure> tenure,
      InstantSource clock,
      LongSupplier nanoTime,
      Consumer<Throwable> lost) {
    this.ledger = ledger;
    this.tenure = tenure;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.lost = lost;
  }

  /** Gives signs for a server that was just made the leader and is not ready to work yet. */
  public static Lease begin(Ledger ledger, Tenure tenure) {
    Lease lease =
        new Lease(
            ledger,
            () -> tenure,
            InstantSource.system(),
            System::nanoTime,
            // Its next commit is refused.
            cause -> LOG.log(System.Logger.Level.WARNING, cause.getMessage()));
    lease.start();
    return lease;
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      do {
        renew();
      } while (!ended.await(RENEW_EVERY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "The lease ends");
    }
  }

  void renew() {
    try {
      Tenure current = tenure.get();
      if (!isHeld(current)) {
        lost.accept(new IllegalStateException("another server took over from " + current.owner()));
      }
    } catch (LedgerException e) {
      LOG.log(System.Logger.Level.WARNING, "No sign of life could be given: " + e.getMessage());
    }
  }

  private boolean isHeld(Tenure current) {
    // Before it is sent: it may arrive much earlier than its answer.
    Moment sent = new Moment(clock.instant(), nanoTime.getAsLong());
    try {
      ledger.renew(current);
      accept(sent);
      return true;
    } catch (FencedException e) {
      LOG.log(System.Logger.Level.DEBUG, "A sign of life was refused", e);
      // After an unclear commit the loop takes over from itself.
      return ledger
          .findRealm(current.realm())
          .filter(realm -> realm.owner().equals(current.owner()))
          .isPresent();
    }
  }

  private void accept(Moment sent) {
    lock.lock();
    try {
      accepted = sent;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void awaitHeld() throws InterruptedException {
    lock.lock();
    try {
      while (!isTrusted()) {
        if (ended.getCount() == 0) {
          throw new InterruptedException("the server ends");
        }
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the last accepted sign is so young that nobody can have taken over since. */
  private boolean isTrusted() {
    Moment last = accepted;
    if (last == null) {
      return false;
    }
    Duration wall = Duration.between(last.wall(), clock.instant());
    Duration passed = Duration.ofNanos(nanoTime.getAsLong() - last.nanos());
    return !wall.isNegative() && wall.compareTo(TRUSTED) <= 0 && passed.compareTo(TRUSTED) <= 0;
  }

  /** Ends the signs; the tenure goes on as long as others wait. */
  @Override
  public void close() {
    ended.countDown();
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    BackendThreads.await(thread);
  }
}
