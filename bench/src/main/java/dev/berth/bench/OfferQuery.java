package dev.berth.bench;

import dev.berth.catalog.CatalogOffer;
import dev.berth.catalog.OfferAnswers;
import dev.berth.catalog.index.CatalogStore;
import dev.berth.catalog.index.QueryResult;
import dev.berth.catalog.index.Snapshot;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.ItemOrder;
import dev.berth.model.offers.OfferFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;

/**
 * Measures questions to the offer catalog: the count and the first 100, over all real offers, a
 * source for each provider. The peer looks at each offer as an object.
 *
 * @param prefix the beginning of the names of the figures
 * @param times how many copies of the real offers there are
 * @param rounds how often a sample asks each question
 */
record OfferQuery(String prefix, int times, int rounds) implements Benchmark {
  private static final int FIRST = 100;
  private static final int THREADS = 2;
  private static final String PEER = "object-scan";

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure(prefix + "-query-p50", "us", PEER),
        new Figure(prefix + "-query-p99", "us", PEER),
        new Figure(prefix + "-query-rate", "q/s", PEER),
        new Figure(prefix + "-load", "ms", null),
        new Figure(prefix + "-bytes", "B/offer", null));
  }

  @Override
  public boolean needsDistribution() {
    return false;
  }

  @Override
  public Optional<String> missing(Path root) {
    return PublishedOffers.missing(root);
  }

  @Override
  public Trial prepare(Workplace place) throws IOException {
    CatalogStore store =
        new CatalogStore(place.folder().resolve(prefix + "-catalog"), Clock.systemUTC());
    List<CatalogItem> items = fill(store, PublishedOffers.folder(place.root()));
    long before = usedHeap();
    dev.berth.catalog.index.Catalog catalog = store.load().catalog();
    double bytes = (double) (usedHeap() - before + mapped(catalog)) / items.size();
    ObjectScan scan = new ObjectScan(items);
    List<OfferFilter> questions = OfferQuestions.all();
    for (OfferFilter question : questions) {
      compare(question, catalog.query(question, FIRST), scan.query(question, FIRST));
    }
    return new Trial() {
      @Override
      public double[] sample() throws InterruptedException {
        long started = System.nanoTime();
        int loaded = store.load().catalog().snapshots().size();
        double load = (System.nanoTime() - started) / 1e6;
        if (loaded != catalog.snapshots().size()) {
          throw new IllegalStateException("a source is missing");
        }
        double[] query =
            measure(questions, rounds, question -> catalog.query(question, FIRST).total());
        return new double[] {query[0], query[1], query[2], load, bytes};
      }

      @Override
      public double[] samplePeer() throws InterruptedException {
        return measure(questions, 1, question -> scan.query(question, FIRST).total());
      }
    };
  }

  /** Stores all offers, and gives them back in the order of their prices. */
  private List<CatalogItem> fill(CatalogStore store, Path folder) throws IOException {
    List<CatalogItem> items = new ArrayList<>();
    PublishedOffers.read(folder, times)
        .forEach(
            (provider, offers) -> {
              store.put(OfferAnswers.content(provider, Instant.EPOCH, offers));
              items.addAll(offers);
            });
    items.sort(ItemOrder.CHEAPEST_FIRST);
    return List.copyOf(items);
  }

  /** The median, the 99th percentile, and the questions a second on two threads. */
  private static double[] measure(
      List<OfferFilter> questions, int rounds, ToLongFunction<OfferFilter> ask)
      throws InterruptedException {
    double[] micros = new double[questions.size() * rounds];
    long expected = 0;
    for (int i = 0; i < micros.length; i++) {
      long started = System.nanoTime();
      expected += ask.applyAsLong(questions.get(i % questions.size()));
      micros[i] = (System.nanoTime() - started) / 1e3;
    }
    long started = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Long>> answers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        answers.add(
            threads.submit(
                () -> {
                  long total = 0;
                  for (int i = 0; i < micros.length; i++) {
                    total += ask.applyAsLong(questions.get(i % questions.size()));
                  }
                  return total;
                }));
      }
      for (Future<Long> answer : answers) {
        if (answer.get() != expected) {
          throw new IllegalStateException("two threads got another answer than one");
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    return new double[] {
      Statistics.median(micros),
      Statistics.percentile(99, micros),
      THREADS * micros.length / seconds
    };
  }

  private static void compare(OfferFilter question, QueryResult ours, ObjectScan.Found peer) {
    if (ours.total() != peer.total()
        || !ours.offers().stream().map(CatalogOffer::item).toList().equals(peer.first())) {
      throw new IllegalStateException("the index and the scan do not agree on " + question);
    }
  }

  private static long mapped(dev.berth.catalog.index.Catalog catalog) throws IOException {
    long bytes = 0;
    for (Snapshot snapshot : catalog.snapshots()) {
      bytes += Files.size(snapshot.file());
    }
    return bytes;
  }

  /**
   * What is in use after everything that can be collected has been. The serial collector counts
   * some of the dead as living to save work, but every fourth time it does all of it.
   */
  private static long usedHeap() {
    for (int round = 0; round < 4; round++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
