package dev.berth.ledger;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Wakes whoever waits for events.
 *
 * <p>A signal that never comes costs time and nothing else: those who wait also look by themselves,
 * again and again.
 */
final class EventSignals implements AutoCloseable {
  private final Duration pause;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // The lock guards what follows.
  private final Map<String, Long> newest = new HashMap<>();
  private long gaps;
  private boolean closed;

  /** Signals of which some may be missed, so that those who wait look once in every pause. */
  EventSignals(Duration pause) {
    this.pause = pause;
  }

  /** The realm has this event, and all before it. */
  void announce(String realm, long seq) {
    lock.lock();
    try {
      newest.merge(realm, seq, Math::max);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Something may have been missed, so everyone who waits looks once. */
  void announceGap() {
    lock.lock();
    try {
      gaps++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for an event after this one. Asks for the newest number without holding any lock. */
  boolean await(String realm, long after, Duration timeout, LongSupplier newestSeq) {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      long seenGaps = seenGaps();
      long found = newestSeq.getAsLong();
      announce(realm, found);
      if (found > after) {
        return true;
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      if (isSignalled(realm, after, seenGaps, Math.min(left, pause.toNanos()))) {
        return true;
      }
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
    }
  }

  /** Waits for so long, or until it is time to ask again. */
  private boolean isSignalled(String realm, long after, long seenGaps, long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && gaps == seenGaps && left > 0) {
        if (newest.getOrDefault(realm, 0L) > after) {
          return true;
        }
        left = changed.awaitNanos(left);
      }
      requireOpen();
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private long seenGaps() {
    lock.lock();
    try {
      requireOpen();
      return gaps;
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw LedgerException.closed();
    }
  }

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
