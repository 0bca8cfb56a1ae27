package dev.berth.ledger;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
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
  private final BlockingQueue<Runnable> line = new LinkedBlockingQueue<>();
  private final ThreadPoolExecutor executor;
  private final Duration patience;

  /** Whether somebody will look at the line. */
  private final AtomicBoolean lookedAfter = new AtomicBoolean();

  /**
   * All threads of one ledger share the group.
   *
   * @param patience how long a caller waits for a thread; what has begun is waited for to its end
   */
  LedgerThreads(ThreadGroup group, String name, int count, Duration patience) {
    this.group = group;
    this.patience = patience;
    ThreadFactory factory = Thread.ofPlatform().group(group).name(name + "-", 0).daemon().factory();
    this.executor = new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, line, factory);
  }

  /**
   * Does the work on one of the threads, waits for it, and passes on what it returns or throws. It
   * does not react to interruption, whose flag is kept.
   */
  <T> T call(Supplier<T> work) {
    refuseOwnThreads();
    Turn<T> turn = new Turn<>(work, System.nanoTime() + patience.toNanos());
    try {
      executor.execute(turn);
    } catch (RejectedExecutionException e) {
      throw new LedgerException(LedgerException.Code.CLOSED, "The ledger is closed.", e);
    }
    lookAfterLine();
    try {
      return turn.result.join();
    } catch (CompletionException e) {
      throw unwrapped(e);
    }
  }

  private void lookAfterLine() {
    if (!line.isEmpty() && lookedAfter.compareAndSet(false, true)) {
      lookIn(patience.toNanos());
    }
  }

  /** One timer for the line, because one for each call would cost more than most calls. */
  private void lookIn(long nanos) {
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(this::look);
  }

  /** Sends away whose time is over. Whoever takes a turn out of the line decides about it. */
  private void look() {
    while (line.peek() instanceof Turn<?> first) {
      long rest = first.latest - System.nanoTime();
      if (rest > 0) {
        lookIn(rest);
        return;
      }
      if (line.remove(first)) {
        first.result.completeExceptionally(LedgerException.busy(patience));
      }
    }
    lookedAfter.set(false);
    lookAfterLine();
  }

  private static final class Turn<T> implements Runnable {
    final CompletableFuture<T> result = new CompletableFuture<>();
    final long latest;
    private final Supplier<T> work;

    Turn(Supplier<T> work, long latest) {
      this.work = work;
      this.latest = latest;
    }

    @Override
    public void run() {
      try {
        result.complete(work.get());
      } catch (Throwable e) {
        // Whatever it is, the caller waits for it.
        result.completeExceptionally(e);
      }
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
