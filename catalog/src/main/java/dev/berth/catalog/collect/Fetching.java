package dev.berth.catalog.collect;

import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.OfferSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks many sources for everything they sell.
 *
 * <p>Threads: each source has a virtual thread that asks and one that watches the deadline; they
 * tell their news through a queue, which the calling thread empties.
 */
final class Fetching {
  private final Duration deadline;
  private final Semaphore free;
  private final BlockingQueue<News> news = new LinkedBlockingQueue<>();

  Fetching(int parallel, Duration deadline) {
    this.free = new Semaphore(parallel);
    this.deadline = deadline;
  }

  /** What became of each source, in the order in which they were done. */
  Map<String, Outcome> all(List<OfferSource> sources, Progress progress)
      throws InterruptedException {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    // Not closed but shut down: a source that ignores its interruption must not hold up the rest.
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      for (OfferSource source : sources) {
        var _ = threads.submit(() -> follow(source, threads));
      }
      while (outcomes.size() < sources.size()) {
        switch (news.take()) {
          case Begun(String source) -> progress.started(source);
          case Answered answered -> {
            OfferSource.Fetched fetched = answered.fetched();
            progress.fetched(
                answered.source(), (long) fetched.items().size() + fetched.refused().size());
            outcomes.put(answered.source(), answered);
          }
          case Failed failed -> {
            progress.finished(failed.report());
            outcomes.put(failed.report().source(), failed);
          }
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return outcomes;
  }

  private void follow(OfferSource source, ExecutorService threads) {
    String name = source.name();
    try {
      free.acquire();
      try {
        news.add(new Begun(name));
        Future<OfferSource.Fetched> answer =
            threads.submit(() -> source.fetch(OfferFilter.ANY, false));
        try {
          news.add(new Answered(name, answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS)));
        } finally {
          answer.cancel(true);
        }
      } finally {
        free.release();
      }
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      fail(name, Causes.sentence(cause), cause);
    } catch (TimeoutException e) {
      fail(name, "no answer within " + deadline.toSeconds() + " seconds", e);
    } catch (InterruptedException e) {
      // Only the end of the whole collection interrupts this thread; then nobody reads the news.
      fail(name, "interrupted", e);
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // Such as a task refused at the end; a source without news would be waited for for ever.
      fail(name, Causes.sentence(e), e);
    }
  }

  private void fail(String source, String sentence, Throwable cause) {
    news.add(new Failed(new Report.Failed(source, sentence, cause)));
  }

  /** What is new of a source while it is asked. */
  sealed interface News {}

  record Begun(String source) implements News {}

  /** What became of a source. */
  sealed interface Outcome extends News {}

  record Answered(String source, OfferSource.Fetched fetched) implements Outcome {}

  record Failed(Report.Failed report) implements Outcome {}
}
