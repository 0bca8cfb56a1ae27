package dev.berth.server;

import dev.berth.model.Pauses;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is under way for output that is kept: a thread for each piece of work, so that a machine
 * that does not answer holds up nobody but itself. Work that fails is done again until it succeeds
 * or all ends.
 */
final class OutputWork implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(OutputWork.class.getName());
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Duration firstPause;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock. */
  private final Set<Item> open = new HashSet<>();

  /** The number of the newest event that was looked at. Guarded by the lock. */
  private long position;

  /** Guarded by the lock. */
  private boolean closed;

  OutputWork(Duration firstPause) {
    this.firstPause = firstPause;
  }

  /**
   * What work is about.
   *
   * @param seq the event that it follows from
   * @param run whose output it is
   * @param machine which has the output; null where none is needed
   */
  record Item(long seq, String run, @Nullable String machine) {}

  /** Something that may have to be done more than once. */
  interface Doing {
    void run() throws InterruptedException;
  }

  /** Begins with work; returns at once. */
  void begin(Item item, Doing doing) {
    lock.lock();
    try {
      open.add(item);
    } finally {
      lock.unlock();
    }
    Thread.ofVirtual().name("berth-output-" + item.seq()).start(() -> doUntilDone(item, doing));
  }

  private void doUntilDone(Item item, Doing doing) {
    Duration pause = firstPause;
    try {
      while (!isDone(doing)) {
        if (isClosedWithin(pause)) {
          return;
        }
        pause = Pauses.next(pause, LONGEST_PAUSE);
      }
      lock.lock();
      try {
        open.remove(item);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isDone(Doing doing) throws InterruptedException {
    try {
      doing.run();
      return true;
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "Output of jobs cannot be kept now: " + e.getMessage());
      return false;
    }
  }

  private boolean isClosedWithin(Duration pause) throws InterruptedException {
    long nanos = pause.toNanos();
    lock.lock();
    try {
      while (!closed && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that all events up to one were looked at, and what follows from them was begun. */
  void moveTo(long seq) {
    lock.lock();
    try {
      position = seq;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The number of the newest event up to which nothing is left to do. */
  long doneUpTo() {
    lock.lock();
    try {
      return open.stream().mapToLong(item -> item.seq() - 1).reduce(position, Math::min);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until what follows from the events up to one was begun, and is done as far as it is about
   * a machine. False where that takes too long.
   */
  boolean awaitMachine(long seq, @Nullable String machine, Duration atMost)
      throws InterruptedException {
    return await(seq, item -> machine != null && machine.equals(item.machine()), atMost);
  }

  /** Waits until nothing from before an event is under way for a run. */
  void awaitRun(long seq, String run) throws InterruptedException {
    await(0, item -> item.run().equals(run) && item.seq() < seq, Duration.ofNanos(Long.MAX_VALUE));
  }

  private boolean await(long seq, Predicate<Item> inTheWay, Duration atMost)
      throws InterruptedException {
    long deadline = System.nanoTime() + Math.min(atMost.toNanos(), Long.MAX_VALUE / 2);
    lock.lock();
    try {
      while (!closed && (position < seq || open.stream().anyMatch(inTheWay))) {
        long left = deadline - System.nanoTime();
        if (left <= 0 || !changed.await(left, TimeUnit.NANOSECONDS)) {
          return position >= seq && open.stream().noneMatch(inTheWay);
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Lets everybody go on who waits; work that was not done is found again by its event. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
