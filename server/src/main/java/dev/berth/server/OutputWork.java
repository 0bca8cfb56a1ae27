package dev.berth.server;

import dev.berth.model.Pauses;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

  /** More events were looked at, or all ends. */
  private final Condition moved = lock.newCondition();

  /**
   * What is not done, with what tells that it is: each waits for its own, because thousands may
   * wait at one time. Guarded by the lock.
   */
  private final Map<Item, CompletableFuture<Void>> open = new HashMap<>();

  /** The same by place. Guarded by the lock. */
  private final Map<String, Map<Item, CompletableFuture<Void>>> byPlace = new HashMap<>();

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
   * @param place which has the output; null where none is needed
   */
  record Item(long seq, String run, @Nullable String place) {}

  /** Something that may have to be done more than once. */
  interface Doing {
    void run() throws InterruptedException;
  }

  /** Begins with work; returns at once. */
  void begin(Item item, Doing doing) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    lock.lock();
    try {
      open.put(item, done);
      if (item.place() != null) {
        byPlace.computeIfAbsent(item.place(), _ -> new LinkedHashMap<>()).put(item, done);
      }
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
      finish(item);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void finish(Item item) {
    lock.lock();
    try {
      CompletableFuture<Void> done = open.remove(item);
      if (done != null) {
        done.complete(null);
      }
      if (item.place() != null) {
        byPlace.computeIfPresent(
            item.place(),
            (_, left) -> {
              left.remove(item);
              return left.isEmpty() ? null : left;
            });
      }
    } finally {
      lock.unlock();
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
        nanos = moved.awaitNanos(nanos);
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
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The number of the newest event up to which nothing is left to do. */
  long doneUpTo() {
    lock.lock();
    try {
      return open.keySet().stream().mapToLong(item -> item.seq() - 1).reduce(position, Math::min);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until what follows from the events up to one was begun, and is done as far as it is about
   * a place. False where that takes too long.
   *
   * @throws InterruptedException also where this was closed: nobody knows whether it is done
   */
  boolean awaitPlace(long seq, @Nullable String place, Duration atMost)
      throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    List<CompletableFuture<Void>> inTheWay;
    lock.lock();
    try {
      while (!closed && position < seq) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        moved.awaitNanos(left);
      }
      requireOpen();
      inTheWay =
          place == null ? List.of() : List.copyOf(byPlace.getOrDefault(place, Map.of()).values());
    } finally {
      lock.unlock();
    }
    for (CompletableFuture<Void> one : inTheWay) {
      if (!isDoneBy(one, deadline)) {
        return false;
      }
    }
    return true;
  }

  /** Only with the lock. */
  private void requireOpen() throws InterruptedException {
    if (closed) {
      throw new InterruptedException("the server ends before the output was copied");
    }
  }

  private static boolean isDoneBy(CompletableFuture<Void> work, long deadline)
      throws InterruptedException {
    try {
      work.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      return true;
    } catch (CancellationException e) {
      throw new InterruptedException("the server ends before the output was copied");
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("work is repeated until it is done", e);
    }
  }

  /** Waits until nothing from before an event is under way for a run. */
  void awaitRun(long seq, String run) throws InterruptedException {
    List<CompletableFuture<Void>> before;
    lock.lock();
    try {
      before =
          open.entrySet().stream()
              .filter(one -> one.getKey().run().equals(run) && one.getKey().seq() < seq)
              .map(Map.Entry::getValue)
              .toList();
    } finally {
      lock.unlock();
    }
    long never = System.nanoTime() + Long.MAX_VALUE / 2;
    for (CompletableFuture<Void> one : before) {
      isDoneBy(one, never);
    }
  }

  /**
   * Interrupts everybody who waits, so that nothing is given back whose output is not copied. Work
   * that was not done is found again by its event.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      moved.signalAll();
      open.values().forEach(one -> one.cancel(false));
    } finally {
      lock.unlock();
    }
  }
}
