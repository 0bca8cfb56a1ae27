package dev.berth.server;

import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Commits the rows of many threads together: what comes while a commit is under way goes with the
 * next one, so that a thousand ended jobs do not cost a thousand commits.
 */
final class GroupedCommits {
  private final Consumer<Commit> ledger;

  /** Held by the thread that commits. */
  private final ReentrantLock committing = new ReentrantLock();

  /** Guarded by itself. */
  private final List<Waiting> waiting = new ArrayList<>();

  private record Waiting(EntityRow row, CompletableFuture<Void> done) {}

  GroupedCommits(Consumer<Commit> ledger) {
    this.ledger = ledger;
  }

  /**
   * Returns when a row is committed.
   *
   * @throws RuntimeException that the commit failed with
   */
  void put(EntityRow row) throws InterruptedException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (waiting) {
      waiting.add(new Waiting(row, done));
    }
    committing.lockInterruptibly();
    try {
      if (!done.isDone()) {
        commit();
      }
      done.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new CompletionException(e);
    } finally {
      committing.unlock();
    }
  }

  private void commit() {
    List<Waiting> rows;
    synchronized (waiting) {
      rows = List.copyOf(waiting);
      waiting.clear();
    }
    Commit.Builder commit = Commit.builder();
    rows.forEach(one -> commit.put(one.row()));
    try {
      ledger.accept(commit.build());
      rows.forEach(one -> one.done().complete(null));
    } catch (RuntimeException e) {
      rows.forEach(one -> one.done().completeExceptionally(e));
    }
  }
}
