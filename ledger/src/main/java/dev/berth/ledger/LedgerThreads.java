package dev.berth.ledger;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Platform threads for a kind of work, because native calls would pin the carriers of virtual ones.
 *
 * <p>They are daemons: a process may end without closing, which is no worse than a crash.
 */
final class LedgerThreads implements AutoCloseable {
  private final ThreadGroup group;
  private final ExecutorService executor;

  /** All threads of one ledger share the group. */
  LedgerThreads(ThreadGroup group, String name, int count) {
    this.group = group;
    ThreadFactory factory = Thread.ofPlatform().group(group).name(name + "-", 0).daemon().factory();
    this.executor = Executors.newFixedThreadPool(count, factory);
  }

  /** Does the work on one of the threads, waits for it, and passes on what it returns or throws. */
  <T> T call(Supplier<T> work) {
    refuseOwnThreads();
    CompletableFuture<T> result;
    try {
      result = CompletableFuture.supplyAsync(work, executor);
    } catch (RejectedExecutionException e) {
      throw new LedgerException(LedgerException.Code.CLOSED, "The ledger is closed.", e);
    }
    try {
      return result.join();
    } catch (CompletionException e) {
      throw unwrapped(e);
    }
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
