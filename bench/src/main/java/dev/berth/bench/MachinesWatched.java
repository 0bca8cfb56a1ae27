package dev.berth.bench;

import dev.berth.client.BerthClient;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.EventList;
import dev.berth.model.api.EventView;
import dev.berth.model.api.FleetRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures what it takes to watch very many machines at one provider: the processor time of the
 * server, and the calls that the provider gets, beside those that it says it takes.
 *
 * @param machines of fleets, which have nothing to do
 * @param window how long is looked on for a sample
 */
record MachinesWatched(int machines, Duration window) implements Benchmark {
  /** As many machines are made in a fleet as it may have. */
  private static final int FLEET = 1_000;

  /** What a provider takes that states nothing. */
  private static final int CALLS_PER_SECOND = 20;

  private static final int CONCURRENT_CALLS = 16;

  private static final String CALLS = "berth_provider_calls_total";
  private static final String NAME = "sim";
  private static final int EVENTS_AT_ONCE = 1_000;
  private static final int WAIT_SECONDS = 30;
  private static final Duration READY_WITHIN = Duration.ofMinutes(10);

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure("machines-watched", "% core", null),
        new Figure("machines-watched-calls", "calls/s", "declared-limit"));
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    Path home = place.newHome();
    TemporaryServer server = start(place, home);
    return new Trial() {
      @Override
      public double[] sample() throws IOException, InterruptedException {
        double made = server.metric(CALLS);
        long began = System.nanoTime();
        Duration before = server.processorTime();
        TimeUnit.NANOSECONDS.sleep(window.toNanos());
        Duration used = server.processorTime().minus(before);
        double seconds = (System.nanoTime() - began) / 1e9;
        return new double[] {
          used.toNanos() / 1e7 / seconds, (server.metric(CALLS) - made) / seconds
        };
      }

      @Override
      public double[] samplePeer() {
        return new double[] {0, CALLS_PER_SECOND};
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  /**
   * A server that watches the machines. Another one makes them before, while the provider takes
   * more calls than it will: nobody waits for what is not measured.
   */
  private TemporaryServer start(Workplace place, Path home)
      throws IOException, InterruptedException {
    Path scenario = home.resolve("scenario.yml");
    Files.writeString(scenario, "boot_time: 0s\n");
    try (TemporaryServer server = TemporaryServer.start(place, home, null)) {
      make(server.client(), scenario);
    }
    Files.writeString(
        scenario,
        "boot_time: 0s\ncalls_per_second: %d\nconcurrent_calls: %d\n"
            .formatted(CALLS_PER_SECOND, CONCURRENT_CALLS));
    return TemporaryServer.start(place, home, null);
  }

  private void make(BerthClient client, Path scenario) throws IOException {
    client.addBackend(
        TemporaryServer.PROJECT,
        new BackendRequest(
            NAME, NAME, Map.of("gives", "machines", "scenario_file", scenario.toString())));
    for (int made = 0; made < machines; made += FLEET) {
      String name = "fleet-" + made / FLEET;
      int nodes = Math.min(FLEET, machines - made);
      Map<String, @Nullable Object> fleet =
          Map.of(
              "type",
              "fleet",
              "name",
              name,
              "nodes",
              Map.of("min", nodes, "target", nodes, "max", nodes));
      client.applyFleet(TemporaryServer.PROJECT, new FleetRequest(name, fleet), name);
    }
    long deadline = System.nanoTime() + READY_WITHIN.toNanos();
    long seen = 0;
    int ready = 0;
    while (ready < machines) {
      if (System.nanoTime() > deadline) {
        throw new IOException(ready + " of " + machines + " machines are ready");
      }
      EventList page = client.events(TemporaryServer.PROJECT, seen, EVENTS_AT_ONCE, WAIT_SECONDS);
      seen = Math.max(seen, page.next());
      for (EventView event : page.events()) {
        ready += event.kind().equals("instance.ready") ? 1 : 0;
      }
    }
  }

  @Override
  public List<String> profile(Workplace place) throws IOException, InterruptedException {
    try (TemporaryServer server = start(place, place.newHome())) {
      TimeUnit.NANOSECONDS.sleep(window.toNanos());
      ServerProfile profile = ServerProfile.start(server.pid(), place.folder());
      TimeUnit.NANOSECONDS.sleep(window.toNanos());
      return profile.end();
    }
  }
}
