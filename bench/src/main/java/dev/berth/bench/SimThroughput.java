package dev.berth.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Measures how many runs a server takes from submission to end in a second, on a simulated cloud,
 * and how long one of them waits while all the others are under way.
 */
record SimThroughput(Storage storage, int runs) implements Benchmark {
  private static final String DO_NOTHING = "true";

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure(name("throughput"), "runs/s", null),
        new Figure(name("server-cpu"), "us/run", null),
        new Figure(name("submit-p50"), "ms", null),
        new Figure(name("submit-p99"), "ms", null),
        new Figure(name("done-p50"), "ms", null),
        new Figure(name("done-p99"), "ms", null));
  }

  private String name(String what) {
    return storage.figure("sim", "-" + what);
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    Storage.Started started = storage.start(place);
    TemporaryServer server = started.server();
    SimRuns simulated = new SimRuns(server.client(), DO_NOTHING);
    return new Trial() {
      @Override
      public double[] sample() throws IOException, InterruptedException {
        Duration before = server.processorTime();
        SimRuns.Wave wave = simulated.untilDone(runs);
        Duration used = server.processorTime().minus(before);
        return new double[] {
          runs / wave.seconds(),
          used.toNanos() / 1e3 / runs,
          Statistics.percentile(50, wave.submitMillis()),
          Statistics.percentile(99, wave.submitMillis()),
          Statistics.percentile(50, wave.toldMillis()),
          Statistics.percentile(99, wave.toldMillis())
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

  @Override
  public List<String> profile(Workplace place) throws IOException, InterruptedException {
    try (Storage.Started started = storage.start(place)) {
      TemporaryServer server = started.server();
      SimRuns simulated = new SimRuns(server.client(), DO_NOTHING);
      // What is only slow the first time is not what a profile should show.
      simulated.untilDone(runs);
      ServerProfile profile = ServerProfile.start(server.pid(), place.folder());
      simulated.untilDone(runs);
      return profile.end();
    }
  }
}
