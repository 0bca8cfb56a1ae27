package dev.berth.bench;

import dev.berth.client.BerthClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures how long it takes from the moment in which a job prints a line until each of many
 * followers has it, and how much memory the server has while they follow.
 */
record LogFollowers(int followers, int lines) implements Benchmark {
  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure("log-followers-p50", "ms", null),
        new Figure("log-followers-p99", "ms", null),
        new Figure("log-followers-memory", "MB", null));
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    TemporaryServer server = TemporaryServer.start(place);
    // The time in each line is the time at which it was printed. Followers get two seconds to
    // come first.
    String print =
        "sleep 2; i=0; while [ $i -lt "
            + lines
            + " ]; do date +%s%N; sleep 0.1; i=$((i + 1)); done";
    return new Trial() {
      @Override
      public double[] sample() throws IOException, InterruptedException {
        ShellRuns runs = new ShellRuns(server.client(), print);
        List<Double> late = follow(server.client(), runs.submit());
        if (late.size() != followers * lines) {
          throw new IOException(
              "expected " + followers * lines + " lines at all followers, found " + late.size());
        }
        double[] millis = late.stream().mapToDouble(Double::doubleValue).toArray();
        return new double[] {
          Statistics.percentile(50, millis),
          Statistics.percentile(99, millis),
          server.residentMegabytes()
        };
      }

      @Override
      public double[] samplePeer() {
        return new double[0];
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  private List<Double> follow(BerthClient client, String run)
      throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Double>>> all = new ArrayList<>();
      for (int i = 0; i < followers; i++) {
        all.add(
            threads.submit(
                () -> {
                  Reader reader = new Reader();
                  client.follow(
                      TemporaryServer.PROJECT, run, 0, new BerthClient.Position(), reader);
                  return reader.late;
                }));
      }
      List<Double> late = new ArrayList<>();
      for (Future<List<Double>> one : all) {
        late.addAll(one.get());
      }
      return late;
    } catch (ExecutionException e) {
      throw new IOException("a follower failed", e.getCause());
    }
  }

  /** Notes how late each line came. Used by one thread. */
  private static final class Reader implements BerthClient.Follower {
    private final List<Double> late = new ArrayList<>();
    private final StringBuilder begun = new StringBuilder();

    @Override
    public void stdout(byte[] bytes) {
      long now = System.currentTimeMillis();
      begun.append(new String(bytes, StandardCharsets.UTF_8));
      for (int end = begun.indexOf("\n"); end >= 0; end = begun.indexOf("\n")) {
        late.add(now - Long.parseLong(begun.substring(0, end).strip()) / 1e6);
        begun.delete(0, end + 1);
      }
    }

    @Override
    public void stderr(byte[] bytes) {
      throw new IllegalStateException(new String(bytes, StandardCharsets.UTF_8));
    }
  }
}
