package dev.berth.ledger;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes whoever waits for requests or answers. A signal that never comes costs time only, and one
 * too many a look. Safe for any thread.
 */
final class InboxSignals implements AutoCloseable {
  private final Semaphore asked = new Semaphore(0);

  /** Those who wait for an answer, by the id of the request. */
  private final ConcurrentMap<String, Semaphore> answered = new ConcurrentHashMap<>();

  private volatile boolean closed;

  void announceAsked() {
    asked.release();
  }

  void announceAnswered(String id) {
    Semaphore one = answered.get(id);
    if (one != null) {
      one.release();
    }
  }

  /** Something may have been missed, so everyone who waits looks once. */
  void announceGap() {
    asked.release();
    answered.values().forEach(Semaphore::release);
  }

  /** From now on nothing that is said about the request is missed. */
  void expect(String id) {
    answered.put(id, new Semaphore(0));
  }

  void expectNoMore(String id) {
    answered.remove(id);
  }

  /** Waits until the answer should be looked for again, at most so long. */
  void awaitAnswered(String id, Duration timeout) {
    await(answered.getOrDefault(id, new Semaphore(0)), timeout);
  }

  /** Waits until something was asked since the last time, at most so long. */
  void awaitAsked(Duration timeout) {
    await(asked, timeout);
  }

  private void await(Semaphore bell, Duration timeout) {
    try {
      if (!closed && bell.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        // However often it rang, one look is enough.
        bell.drainPermits();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    if (closed) {
      throw LedgerException.closed();
    }
  }

  @Override
  public void close() {
    closed = true;
    announceGap();
  }
}
