package dev.berth.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Measures from the submission to the first command of the job. The command tells the time itself,
 * by the same clock, so neither the output's way back nor our waiting counts.
 */
record SubmitToStart(int submits) implements Benchmark {
  private static final String TELL_TIME = "date +%s%N";

  @Override
  public List<Figure> figures() {
    return List.of(
        new Figure("submit-to-start", "ms", "sh-date"),
        new Figure("submit-to-start-p99", "ms", "sh-date-p99"));
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    TemporaryServer server = TemporaryServer.start(place);
    ShellRuns runs = new ShellRuns(server.client(), TELL_TIME);
    return new Trial() {
      @Override
      public double[] sample() throws IOException {
        double[] millis = new double[submits];
        for (int i = 0; i < submits; i++) {
          Instant submitted = Instant.now();
          String run = runs.submit();
          runs.awaitDone(run);
          millis[i] = millisSince(submitted, runs.output(run));
        }
        runs.deleteEnded();
        return summary(millis);
      }

      @Override
      public double[] samplePeer() throws IOException {
        double[] millis = new double[submits];
        for (int i = 0; i < submits; i++) {
          Instant started = Instant.now();
          Process process = place.start(new ProcessBuilder("sh", "-c", TELL_TIME));
          millis[i] = millisSince(started, process.getInputStream().readAllBytes());
        }
        return summary(millis);
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  private static double[] summary(double[] millis) {
    return new double[] {Statistics.percentile(50, millis), Statistics.percentile(99, millis)};
  }

  /** From a moment to the one that the command wrote, as nanoseconds since 1970. */
  static double millisSince(Instant from, byte[] told) throws IOException {
    String text = new String(told, StandardCharsets.US_ASCII).strip();
    try {
      return (Long.parseLong(text) - ChronoUnit.NANOS.between(Instant.EPOCH, from)) / 1e6;
    } catch (NumberFormatException e) {
      throw new IOException("the command told no time but '" + text + "'", e);
    }
  }
}
