package dev.berth.backends.sim;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes watches when a call has changed the world. */
final class ChangeSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition signalled = lock.newCondition();

  /** Guarded by the lock. */
  private long count;

  void signal() {
    lock.lock();
    try {
      count++;
      signalled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there was a signal after the one that was seen, or the time is over. */
  void await(long seen, Duration most) throws InterruptedException {
    lock.lock();
    try {
      long left = most.toNanos();
      while (count == seen && left > 0) {
        left = signalled.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
