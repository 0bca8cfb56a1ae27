package dev.berth.server;

import dev.berth.model.BackendKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What is done to backends: opened, added, removed. One operation at a time for each name, and any
 * number for different names, because each may wait for its provider for minutes.
 */
final class BackendOperations implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(BackendOperations.class.getName());

  /** How long a request waits for another operation on the same backend. */
  private static final Duration OTHERS_WITHIN = Duration.ofSeconds(10);

  /** How long an operation may take to end when the server does. */
  private static final Duration END_WITHIN = Duration.ofSeconds(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  /** Who works at which backend. Guarded by the lock. */
  private final Map<String, Thread> working = new HashMap<>();

  /** Guarded by the lock. */
  private boolean closed;

  /** An operation on a backend. */
  interface Operation<T, E extends Exception> {
    T run() throws E, InterruptedException;
  }

  /**
   * Does something to a backend, after whatever else is being done to it.
   *
   * @throws ApiException where that takes long
   */
  <T, E extends Exception> T alone(String key, Operation<T, E> operation)
      throws E, InterruptedException {
    if (!await(key, OTHERS_WITHIN)) {
      throw new ApiException(
          503,
          "another operation on the backend '"
              + BackendKey.name(key)
              + "' is in progress, and waits for its provider; try again when it has ended",
          List.of(),
          Map.of("Retry-After", "5"));
    }
    try {
      return operation.run();
    } finally {
      end(key);
    }
  }

  private boolean await(String key, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (working.containsKey(key) && left > 0 && !closed) {
        left = ended.awaitNanos(left);
      }
      return !closed && working.putIfAbsent(key, Thread.currentThread()) == null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins to do something to a backend in a thread of its own; empty where something else is being
   * done to it.
   */
  <T> Optional<CompletableFuture<T>> begin(String key, Supplier<T> operation) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .name("berth-backend-" + key)
            .unstarted(
                () -> {
                  try {
                    result.complete(operation.get());
                  } catch (RuntimeException | Error e) {
                    LOG.log(System.Logger.Level.ERROR, "An operation on " + key + " failed", e);
                    result.completeExceptionally(e);
                  } finally {
                    end(key);
                  }
                });
    lock.lock();
    try {
      if (closed || working.putIfAbsent(key, thread) != null) {
        return Optional.empty();
      }
    } finally {
      lock.unlock();
    }
    thread.start();
    return Optional.of(result);
  }

  private void end(String key) {
    lock.lock();
    try {
      working.remove(key);
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Interrupts what is being done to a backend, if anything is. */
  void interrupt(String key) {
    lock.lock();
    try {
      Thread thread = working.get(key);
      if (thread != null) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Interrupts all that is being done, and waits for it; not for long, though. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      ended.signalAll();
      working.values().forEach(Thread::interrupt);
      long left = END_WITHIN.toNanos();
      while (!working.isEmpty() && left > 0) {
        left = ended.awaitNanos(left);
      }
      if (!working.isEmpty()) {
        LOG.log(
            System.Logger.Level.WARNING,
            "Operations on " + String.join(", ", working.keySet()) + " do not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
