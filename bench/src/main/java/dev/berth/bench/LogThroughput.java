package dev.berth.bench;

import dev.berth.client.BerthClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Measures how fast the output of a run that has ended comes through the API. */
record LogThroughput(long bytes) implements Benchmark {
  private static final String LINE =
      "epoch 3 step 12840 loss 0.4171 learning rate 2.9e-05 tokens/s 48213";

  @Override
  public List<Figure> figures() {
    return List.of(new Figure("log-throughput", "MB/s", "cat"));
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    String write = "yes '" + LINE + "' | head -c " + bytes;
    Path file = place.folder().resolve("output");
    place.wallMillis(new ProcessBuilder("sh", "-c", write).redirectOutput(file.toFile()));
    TemporaryServer server = TemporaryServer.start(place);
    ShellRuns runs = new ShellRuns(server.client(), write);
    String run = runs.submit();
    runs.awaitDone(run);
    return new Trial() {
      @Override
      public double[] sample() throws IOException {
        long started = System.nanoTime();
        long read = readAll(server.client(), run);
        double rate = megabytesPerSecond((System.nanoTime() - started) / 1e6);
        if (read != bytes) {
          throw new IOException("expected " + bytes + " bytes of output, found " + read);
        }
        return new double[] {rate};
      }

      @Override
      public double[] samplePeer() throws IOException, InterruptedException {
        double millis =
            place.wallMillis(
                new ProcessBuilder("cat", file.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD));
        return new double[] {megabytesPerSecond(millis)};
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  /** Reads as {@code berth logs} does, range by range. */
  private static long readAll(BerthClient client, String run) {
    long offset = 0;
    while (true) {
      BerthClient.Range range =
          client.log(TemporaryServer.PROJECT, run, BerthClient.Source.FIRST_NODE, "stdout", offset);
      if (range.bytes().length == 0) {
        return offset;
      }
      offset += range.bytes().length;
    }
  }

  private double megabytesPerSecond(double millis) {
    return bytes / 1e6 / (millis / 1e3);
  }
}
