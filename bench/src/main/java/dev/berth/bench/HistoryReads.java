package dev.berth.bench;

import dev.berth.client.BerthClient;
import dev.berth.model.api.RunList;
import dev.berth.model.api.RunView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Measures how long reads take where very many runs have ended, with a few readers at once. */
record HistoryReads(Storage storage, int runs, int reads) implements Benchmark {
  private static final int READERS = 4;
  private static final int WAVE = 10_000;
  private static final int PAGE = 100;

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure(storage.figure("history", "-read-p50"), "ms", null),
        new Figure(storage.figure("history", "-read-p99"), "ms", null),
        new Figure(storage.figure("history", "-memory"), "MB", null));
  }

  /** One of the things that people and consoles ask. */
  private interface Read {
    void from(BerthClient client);
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    Storage.Started started = storage.start(place);
    BerthClient client = started.server().client();
    SimRuns simulated = new SimRuns(client, "true");
    for (int left = runs; left > 0; left -= WAVE) {
      simulated.untilDone(Math.min(left, WAVE));
    }
    List<Read> kinds = kinds(client);
    return new Trial() {
      @Override
      public double[] sample() throws IOException, InterruptedException {
        double[] millis = measure(client, kinds);
        return new double[] {
          Statistics.percentile(50, millis),
          Statistics.percentile(99, millis),
          started.server().residentMegabytes()
        };
      }

      @Override
      public double[] samplePeer() {
        return new double[0];
      }

      @Override
      public void close() throws IOException {
        started.close();
      }
    };
  }

  private static List<Read> kinds(BerthClient client) {
    String project = TemporaryServer.PROJECT;
    // A page in the middle of the history, and a run of it.
    RunList page = client.list(project, true, PAGE, null);
    for (int i = 0; i < 50; i++) {
      page = client.list(project, true, PAGE, page.next());
    }
    String cursor = page.next();
    RunView old = page.runs().getFirst();
    return List.of(
        one -> one.list(project, false, PAGE, null),
        one -> one.list(project, true, PAGE, null),
        one -> one.list(project, true, PAGE, cursor),
        one -> one.get(project, old.id()),
        one -> one.get(project, old.name()),
        one -> one.events(project, 0, PAGE, 0),
        BerthClient::info);
  }

  private double[] measure(BerthClient client, List<Read> kinds)
      throws IOException, InterruptedException {
    try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
      List<Future<List<Double>>> all = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        int first = i;
        all.add(
            readers.submit(
                () -> {
                  List<Double> millis = new ArrayList<>();
                  for (int number = first; number < reads; number += READERS) {
                    long began = System.nanoTime();
                    kinds.get(number % kinds.size()).from(client);
                    millis.add((System.nanoTime() - began) / 1e6);
                  }
                  return millis;
                }));
      }
      List<Double> millis = new ArrayList<>();
      for (Future<List<Double>> one : all) {
        millis.addAll(one.get());
      }
      return millis.stream().mapToDouble(Double::doubleValue).toArray();
    } catch (ExecutionException e) {
      throw new IOException("a read failed", e.getCause());
    }
  }
}
