package dev.berth.ledger;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes whoever waits for requests or answers. A signal that never comes costs time only. */
final class InboxSignals implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition asking = lock.newCondition();
  // The lock guards what follows.
  private boolean asked;
  private boolean closed;

  /** Those who wait for an answer, by the id of the request. */
  private final Map<String, Condition> waiting = new HashMap<>();

  private final Set<String> answered = new HashSet<>();

  void announceAsked() {
    lock.lock();
    try {
      asked = true;
      asking.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void announceAnswered(String id) {
    lock.lock();
    try {
      Condition one = waiting.get(id);
      if (one != null) {
        answered.add(id);
        one.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Something may have been missed, so everyone who waits looks once. */
  void announceGap() {
    lock.lock();
    try {
      asked = true;
      asking.signalAll();
      answered.addAll(waiting.keySet());
      waiting.values().forEach(Condition::signalAll);
    } finally {
      lock.unlock();
    }
  }

  /** From now on nothing that is said about the request is missed. */
  void expect(String id) {
    lock.lock();
    try {
      waiting.put(id, lock.newCondition());
    } finally {
      lock.unlock();
    }
  }

  void expectNoMore(String id) {
    lock.lock();
    try {
      waiting.remove(id);
      answered.remove(id);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the answer should be looked for again, at most so long. */
  void awaitAnswered(String id, Duration timeout) {
    lock.lock();
    try {
      Condition one = waiting.get(id);
      long left = timeout.toNanos();
      while (one != null && !closed && left > 0 && !answered.contains(id)) {
        left = one.awaitNanos(left);
      }
      answered.remove(id);
      requireOpen();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until something was asked since the last time, at most so long. */
  void awaitAsked(Duration timeout) {
    lock.lock();
    try {
      long left = timeout.toNanos();
      while (!closed && left > 0 && !asked) {
        left = asking.awaitNanos(left);
      }
      asked = false;
      requireOpen();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
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
      asking.signalAll();
      waiting.values().forEach(Condition::signalAll);
    } finally {
      lock.unlock();
    }
  }
}
