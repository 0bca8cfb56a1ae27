package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Measures how many runs a server takes from submission to end in a second, on a simulated cloud,
 * and how long one of them waits while all the others are under way.
 */
record SimThroughput(Storage storage, Catalogued catalogued, int runs) implements Benchmark {
  private static final String DO_NOTHING = "true";

  /** What stands in the catalog of the server. */
  enum Catalogued {
    NOTHING(""),
    /** All published offers, which a second cloud sells to the same runs. */
    EVERYTHING("-catalog");

    private final String suffix;

    Catalogued(String suffix) {
      this.suffix = suffix;
    }
  }

  @Override
  public Optional<String> missing(Path root) {
    return switch (catalogued) {
      case NOTHING -> Optional.empty();
      case EVERYTHING -> PublishedOffers.missing(root);
    };
  }

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
    return storage.figure("sim", "-" + what + catalogued.suffix);
  }

  /** A server, and what submits to it. */
  private record Started(Storage.Started storage, SimRuns runs) implements AutoCloseable {
    TemporaryServer server() {
      return storage.server();
    }

    @Override
    public void close() throws IOException {
      storage.close();
    }
  }

  private Started start(Workplace place) throws IOException, InterruptedException {
    Path home = place.newHome();
    CatalogCloud cloud =
        switch (catalogued) {
          case NOTHING -> null;
          case EVERYTHING -> CatalogCloud.fill(home, PublishedOffers.folder(place.root()));
        };
    Storage.Started started = storage.start(place, home);
    if (cloud != null) {
      cloud.addTo(started.server().client());
    }
    return new Started(
        started,
        new SimRuns(
            started.server().client(),
            DO_NOTHING,
            cloud == null ? List.of() : List.of(CatalogCloud.BACKEND)));
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    Started started = start(place);
    TemporaryServer server = started.server();
    SimRuns simulated = started.runs();
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
    try (Started started = start(place)) {
      TemporaryServer server = started.server();
      SimRuns simulated = started.runs();
      // What is only slow the first time is not what a profile should show.
      simulated.untilDone(runs);
      ServerProfile profile = ServerProfile.start(server.pid(), place.folder());
      simulated.untilDone(runs);
      return profile.end();
    }
  }
}
