package dev.berth.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Does something many times, by a few at once; the first failure is thrown. */
final class Parallel {
  private Parallel() {}

  /** Calls the work with the numbers from 0, in order, by so many threads. */
  static void each(int threads, int count, IntConsumer work) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(
            executor.submit(
                () -> {
                  for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                    work.accept(n);
                  }
                }));
      }
      try {
        for (Future<?> worker : workers) {
          worker.get();
        }
      } catch (ExecutionException e) {
        next.set(count);
        throw new AssertionError("one of " + count + " failed", e.getCause());
      }
    }
  }
}
