package dev.berth.bench;

import dev.berth.client.BerthClient;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Submits many tasks at once to a simulated cloud that is in memory, has no end and loses no time,
 * and follows what becomes of them: what is measured is the server and not the cloud.
 */
final class SimRuns {
  /** So many requests are under way at one time. */
  static final int SUBMITTERS = 16;

  private static final String BACKEND = "sim";
  private static final int EVENTS_AT_ONCE = 1000;
  private static final int WAIT_SECONDS = 30;
  private static final Duration TOLD_WITHIN = Duration.ofMinutes(10);

  private final BerthClient client;
  private final Map<String, @Nullable Object> configuration;
  private long seen;
  private int waves;

  SimRuns(BerthClient client, String command) {
    this(client, command, List.of());
  }

  /** The same for runs that may be placed on other backends, too. */
  SimRuns(BerthClient client, String command, List<String> others) {
    this.client = client;
    List<String> backends = Stream.concat(Stream.of(BACKEND), others.stream()).toList();
    this.configuration = Map.of("type", "task", "commands", List.of(command), "backends", backends);
    client.addBackend(
        TemporaryServer.PROJECT,
        new BackendRequest(
            BACKEND,
            BACKEND,
            Map.of(
                "state", "memory", "scenario", Map.of("boot_time", "0s", "command_time", "0s"))));
  }

  /**
   * What happened to a wave of runs.
   *
   * @param seconds from the first submission until the last run was told to be where it should be
   * @param submitMillis how long each submission took
   * @param toldMillis how long it took from each submission until its run was told
   */
  @SuppressWarnings("ArrayRecordComponent") // figures are summarised, two waves are never compared
  record Wave(double seconds, double[] submitMillis, double[] toldMillis) {}

  private record Submission(String runId, long startedAt, long answeredAt) {}

  /** Submits so many runs and waits until all of them are done. */
  Wave untilDone(int count) throws IOException, InterruptedException {
    return submit(
        count,
        event -> event.kind().equals("run.ended") && "done".equals(event.data().get("status")));
  }

  /** Submits so many runs and waits until all of them are running. */
  Wave untilRunning(int count) throws IOException, InterruptedException {
    return submit(
        count,
        event -> event.kind().equals("run.status") && "running".equals(event.data().get("to")));
  }

  private Wave submit(int count, Predicate<EventView> wanted)
      throws IOException, InterruptedException {
    int wave = ++waves;
    ConcurrentLinkedQueue<Submission> submissions = new ConcurrentLinkedQueue<>();
    AtomicInteger next = new AtomicInteger();
    long started = System.nanoTime();
    try (ExecutorService submitters = Executors.newFixedThreadPool(SUBMITTERS)) {
      List<Future<?>> workers =
          IntStream.range(0, SUBMITTERS)
              .<Future<?>>mapToObj(
                  _ ->
                      submitters.submit(
                          () -> {
                            for (int i = next.getAndIncrement();
                                i < count;
                                i = next.getAndIncrement()) {
                              submissions.add(submit("wave-" + wave + "-" + i));
                            }
                          }))
              .toList();
      Map<String, Long> told = follow(count, wanted, workers);
      long ended = System.nanoTime();
      for (Future<?> worker : workers) {
        await(worker);
      }
      return new Wave(
          (ended - started) / 1e9,
          submissions.stream()
              .mapToDouble(one -> (one.answeredAt() - one.startedAt()) / 1e6)
              .toArray(),
          submissions.stream()
              .mapToDouble(one -> (told.getOrDefault(one.runId(), ended) - one.startedAt()) / 1e6)
              .toArray());
    }
  }

  private Submission submit(String name) {
    long started = System.nanoTime();
    String id =
        client.submit(TemporaryServer.PROJECT, new RunRequest(name, configuration), name).id();
    return new Submission(id, started, System.nanoTime());
  }

  /** Reads events until so many runs were told, and notes when each was. */
  private Map<String, Long> follow(int count, Predicate<EventView> wanted, List<Future<?>> workers)
      throws IOException, InterruptedException {
    Map<String, Long> told = new HashMap<>();
    long deadline = System.nanoTime() + TOLD_WITHIN.toNanos();
    while (told.size() < count) {
      for (Future<?> worker : workers) {
        if (worker.isDone()) {
          await(worker);
        }
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(told.size() + " of " + count + " runs came where they should be");
      }
      EventList page = client.events(TemporaryServer.PROJECT, seen, EVENTS_AT_ONCE, WAIT_SECONDS);
      long now = System.nanoTime();
      seen = Math.max(seen, page.next());
      for (EventView event : page.events()) {
        if (wanted.test(event)) {
          told.put(event.entityId(), now);
        } else if (event.kind().equals("run.ended")) {
          throw new IOException("the run " + event.entityId() + " ended: " + event.data());
        }
      }
    }
    return told;
  }

  private static void await(Future<?> worker) throws IOException, InterruptedException {
    try {
      worker.get();
    } catch (ExecutionException e) {
      throw new IOException("a submission failed", e.getCause());
    }
  }
}
