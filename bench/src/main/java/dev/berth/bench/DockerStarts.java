package dev.berth.bench;

import dev.berth.model.api.BackendRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures from the submission to the first command in a container, of the last one where several
 * are submitted at once. The image is there already. The command tells the time itself, by the
 * kernel's count of hundredths of a second, which containers share with us and small images can
 * read; the peer is the engine's own command.
 */
record DockerStarts(String name, String peer, int atOnce, int rounds) implements Benchmark {
  private static final String IMAGE = "localhost/berth-bench:1";
  private static final String TELL_TIME = "cat /proc/uptime";
  private static final Path PROGRAM = Path.of("/bin/busybox");

  /** An image of one program under its many names. */
  private static final String MAKE_IMAGE =
      """
      mkdir -p bin tmp etc srv && cp %1$s bin/busybox &&
      for name in $(%1$s --list); do [ "$name" = busybox ] || ln -s busybox "bin/$name"; done &&
      tar -c . | docker import --change 'ENV PATH=/bin' - %2$s
      """
          .formatted(PROGRAM, IMAGE);

  @Override
  public List<Figure> figures() {
    return List.of(new Figure(name, "ms", peer));
  }

  @Override
  public Optional<String> missing(Path root) {
    if (!Files.isExecutable(PROGRAM)) {
      return Optional.of("there is no " + PROGRAM + " to make an image of");
    }
    try {
      Process version = new ProcessBuilder("docker", "version").redirectErrorStream(true).start();
      String text = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return version.waitFor() == 0
          ? Optional.empty()
          : Optional.of("no engine answers: " + text.lines().reduce("", (_, last) -> last));
    } catch (IOException failure) {
      return Optional.of("there is no docker command: " + failure.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.of("the engine was not waited for");
    }
  }

  @Override
  public Trial prepare(Workplace place) throws IOException, InterruptedException {
    Path files = Files.createTempDirectory(place.folder(), "image");
    place.wallMillis(new ProcessBuilder("sh", "-c", MAKE_IMAGE).directory(files.toFile()));
    TemporaryServer server = TemporaryServer.start(place);
    server
        .client()
        .addBackend(
            TemporaryServer.PROJECT,
            new BackendRequest("docker", "docker", Map.of("slots", atOnce)));
    ShellRuns runs =
        new ShellRuns(server.client(), TELL_TIME, "image: " + IMAGE + "\nbackends: [docker]\n");
    return new Trial() {
      @Override
      public double[] sample() throws IOException {
        double[] millis = new double[rounds];
        for (int round = 0; round < rounds; round++) {
          double submitted = uptime();
          List<String> ids = new ArrayList<>();
          for (int i = 0; i < atOnce; i++) {
            ids.add(runs.submit());
          }
          for (String id : ids) {
            runs.awaitDone(id);
            millis[round] = Math.max(millis[round], millisSince(submitted, runs.output(id)));
          }
          runs.deleteEnded();
        }
        return new double[] {Statistics.median(millis)};
      }

      @Override
      public double[] samplePeer() throws IOException {
        double[] millis = new double[rounds];
        for (int round = 0; round < rounds; round++) {
          double started = uptime();
          List<Process> processes = new ArrayList<>();
          for (int i = 0; i < atOnce; i++) {
            processes.add(
                place.start(
                    new ProcessBuilder("docker", "run", "--rm", IMAGE, "sh", "-c", TELL_TIME)));
          }
          for (Process process : processes) {
            byte[] told = process.getInputStream().readAllBytes();
            millis[round] = Math.max(millis[round], millisSince(started, told));
          }
        }
        return new double[] {Statistics.median(millis)};
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  private static double uptime() throws IOException {
    return seconds(Files.readString(Path.of("/proc/uptime")));
  }

  private static double millisSince(double from, byte[] told) throws IOException {
    return (seconds(new String(told, StandardCharsets.US_ASCII)) - from) * 1000;
  }

  private static double seconds(String told) throws IOException {
    try {
      return Double.parseDouble(told.strip().split(" ")[0]);
    } catch (NumberFormatException e) {
      throw new IOException("the command told no time but '" + told + "'", e);
    }
  }
}
