package dev.berth.bench;

import java.io.IOException;
import java.util.List;

/** Measures the memory of a server while very many simulated runs are running. */
record SimActiveMemory(int runs) implements Benchmark {
  private static final String LAST_LONG = "sleep 86400";

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure("sim-active-memory", "MB", null), new Figure("sim-active-heap", "MB", null));
  }

  @Override
  public Trial prepare(Workplace place) {
    return new Trial() {
      @Override
      public double[] sample() throws IOException, InterruptedException {
        try (TemporaryServer server = TemporaryServer.start(place)) {
          new SimRuns(server.client(), LAST_LONG).untilRunning(runs);
          // Before the heap is cleaned for the second figure: this is what the machine gave.
          double resident = server.residentMegabytes();
          return new double[] {resident, JvmTool.liveMegabytes(server.pid())};
        }
      }

      @Override
      public double[] samplePeer() {
        return new double[0];
      }
    };
  }
}
