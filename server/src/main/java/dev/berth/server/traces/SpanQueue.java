package dev.berth.server.traces;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Spans on their way to the collector. Whoever adds one never waits: where the line is full because
 * the collector is slow or gone, spans are dropped and counted.
 */
final class SpanQueue implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SpanQueue.class.getName());

  /** So many spans wait; a few megabytes. */
  static final int MOST = 4096;

  static final int BATCH = 512;

  /** How long the first span of a batch waits for others. */
  private static final Duration GATHER = Duration.ofSeconds(1);

  /** How long an orderly stop waits for the collector. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(3);

  private final SpanExport export;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final LongAdder dropped = new LongAdder();
  private final Thread thread = Thread.ofVirtual().name("berth-traces").unstarted(this::run);

  // The lock guards what follows.
  private final Deque<Span> waiting = new ArrayDeque<>();
  private boolean closed;

  /** Whether the last batch was not taken. Only the thread touches it. */
  private boolean troubled;

  SpanQueue(SpanExport export) {
    this.export = export;
  }

  void start() {
    thread.start();
  }

  /** How many spans were not taken by anybody. */
  long dropped() {
    return dropped.sum();
  }

  /** Counts a span that is given up; safe for any thread. */
  void drop() {
    dropped.increment();
  }

  /** Puts a span in line; safe for any thread. */
  void add(Span span) {
    lock.lock();
    try {
      if (closed || waiting.size() >= MOST) {
        dropped.increment();
        return;
      }
      waiting.add(span);
      if (waiting.size() == 1 || waiting.size() >= BATCH) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      for (List<Span> batch = take(); !batch.isEmpty(); batch = take()) {
        send(batch);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "Traces end before all of them were sent");
    }
  }

  /** Waits for spans; none where the line is closed and empty. */
  private List<Span> take() throws InterruptedException {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        changed.await();
      }
      long left = GATHER.toNanos();
      while (waiting.size() < BATCH && !closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      List<Span> batch = new ArrayList<>();
      while (batch.size() < BATCH && !waiting.isEmpty()) {
        batch.add(waiting.remove());
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void send(List<Span> batch) {
    try {
      export.send(batch);
      if (troubled) {
        troubled = false;
        LOG.log(System.Logger.Level.INFO, "Traces are taken by their collector again");
      }
    } catch (SpanExport.NotTakenException e) {
      dropped.add(batch.size());
      if (!troubled) {
        // Once, however long it lasts: the server works as ever.
        troubled = true;
        LOG.log(
            System.Logger.Level.WARNING,
            "Traces are dropped until their collector takes them: "
                + e.getMessage()
                + "; berth_trace_spans_dropped_total counts them");
      }
    }
  }

  /** Sends what waits, as long as that takes no more than some seconds. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      if (!thread.join(LAST_WORDS)) {
        LOG.log(System.Logger.Level.WARNING, "The last traces are dropped: no collector took them");
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    export.close();
  }
}
