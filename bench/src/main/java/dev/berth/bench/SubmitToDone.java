package dev.berth.bench;

import java.io.IOException;
import java.util.List;

/** Measures from the submission of a command that does nothing until its end is told to us. */
record SubmitToDone(int submits) implements Benchmark {
  private static final String DO_NOTHING = "true";

  @Override
  public List<Figure> figures() {
    return List.of(new Figure("submit-to-done", "ms", "sh-true"));
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    TemporaryServer server = TemporaryServer.start(place);
    ShellRuns runs = new ShellRuns(server.client(), DO_NOTHING);
    return new Trial() {
      @Override
      public double[] sample() throws IOException {
        double[] millis = new double[submits];
        for (int i = 0; i < submits; i++) {
          long submitted = System.nanoTime();
          runs.awaitDone(runs.submit());
          millis[i] = (System.nanoTime() - submitted) / 1e6;
        }
        runs.deleteEnded();
        return new double[] {Statistics.percentile(50, millis)};
      }

      @Override
      public double[] samplePeer() throws IOException, InterruptedException {
        double[] millis = new double[submits];
        for (int i = 0; i < submits; i++) {
          millis[i] = place.wallMillis(new ProcessBuilder("sh", "-c", DO_NOTHING));
        }
        return new double[] {Statistics.percentile(50, millis)};
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }
}
