package dev.berth.ledger;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Platform threads for a kind of work, because native calls would pin the carriers of virtual ones.
 * Whoever is not served in time is sent away: while a database does not answer, a line would only
 * grow.
 *
 * <p>They are daemons: a process may end without closing, which is no worse than a crash.
 */
final class LedgerThreads implements AutoCloseable {
  private final ThreadGroup group;
  private final ExecutorService executor;
  private final Duration patience;

  /**
   * All threads of one ledger share the group.
   *
   * @param patience how long a caller waits for a thread; what has begun is waited for to its end
   */
  LedgerThreads(ThreadGroup group, String name, int count, Duration patience) {
    this.group = group;
    this.patience = patience;
    ThreadFactory factory = Thread.ofPlatform().group(group).name(name + "-", 0).daemon().factory();
    this.executor = Executors.newFixedThreadPool(count, factory);
  }

  /** Does the work on one of the threads, waits for it, and passes on what it returns or throws. */
  <T> T call(Supplier<T> work) {
    return call(work, patience);
  }

  /** The same, for a caller with a patience of its own. */
  <T> T call(Supplier<T> work, Duration patience) {
    refuseOwnThreads();
    AtomicBoolean begun = new AtomicBoolean();
    CompletableFuture<T> result;
    try {
      result =
          CompletableFuture.supplyAsync(
              () -> {
                if (!begun.compareAndSet(false, true)) {
                  throw LedgerException.busy(patience);
                }
                return work.get();
              },
              executor);
    } catch (RejectedExecutionException e) {
      throw new LedgerException(LedgerException.Code.CLOSED, "The ledger is closed.", e);
    }
    if (!isDoneWithin(result, patience) && begun.compareAndSet(false, true)) {
      throw LedgerException.busy(patience);
    }
    try {
      return result.join();
    } catch (CompletionException e) {
      throw unwrapped(e);
    }
  }

  /** Waits without reacting to interruption, whose flag is kept. */
  private static boolean isDoneWithin(CompletableFuture<?> result, Duration time) {
    CompletableFuture<Boolean> done =
        result
            .handle((_, _) -> true)
            .completeOnTimeout(false, time.toMillis(), TimeUnit.MILLISECONDS);
    return done.join();
  }

  /** Refuses further work and waits for what is under way. */
  @Override
  public void close() {
    refuseOwnThreads();
    executor.shutdown();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = executor.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A receiver that waits for the threads that call it would wait for ever. */
  private void refuseOwnThreads() {
    if (group.equals(Thread.currentThread().getThreadGroup())) {
      throw new IllegalStateException("a receiver must not call the ledger that is calling it");
    }
  }

  private static RuntimeException unwrapped(CompletionException e) {
    return switch (e.getCause()) {
      case RuntimeException cause -> cause;
      case Error error -> throw error;
      case null, default -> e;
    };
  }
}
