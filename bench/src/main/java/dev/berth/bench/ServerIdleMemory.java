package dev.berth.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Measures the resident memory of an embedded server that has started and does nothing. */
record ServerIdleMemory(Duration settle) implements Benchmark {
  @Override
  public List<Figure> figures() {
    return List.of(new Figure("server-idle-memory", "MB", null));
  }

  @Override
  public Trial prepare(Workplace place) {
    return new Trial() {
      @Override
      public double[] sample() throws IOException, InterruptedException {
        try (TemporaryServer server = TemporaryServer.start(place)) {
          TimeUnit.MILLISECONDS.sleep(settle.toMillis());
          return new double[] {server.residentMegabytes()};
        }
      }

      @Override
      public double[] samplePeer() {
        return new double[0];
      }
    };
  }

  static double residentMegabytes(String status) throws IOException {
    String line =
        status
            .lines()
            .filter(found -> found.startsWith("VmRSS:"))
            .findFirst()
            .orElseThrow(() -> new IOException("this system does not tell a process's memory"));
    long kibibytes = Long.parseLong(line.replaceAll("[^0-9]", ""));
    return kibibytes * 1024 / 1e6;
  }
}
