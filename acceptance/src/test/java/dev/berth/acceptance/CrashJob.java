package dev.berth.acceptance;

import dev.berth.model.api.RunRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A job for the crash test. When it starts it notes its attempt in a file that all share, then
 * writes the first half of its output, waits for the gate, and writes the rest.
 *
 * @param stopped when it is stopped, in which case it waits for a gate that never opens
 */
@SuppressWarnings("ArrayRecordComponent") // output is bytes; two jobs are never compared
record CrashJob(
    String name, String script, int exitCode, byte[] stdout, byte[] stderr, Stopped stopped) {
  /** When a job is stopped. */
  enum Stopped {
    NEVER,
    AT_ONCE,
    WHEN_IT_RUNS
  }

  static CrashJob create(int number, Stopped stopped, Path folder, SplittableRandom random) {
    String name = "job-" + number;
    byte[] stdout = OutputBytes.hard(random, random.nextInt(100_000), random.nextInt(3));
    byte[] stderr = OutputBytes.hard(random, random.nextInt(20_000), random.nextInt(2));
    Path out = write(folder.resolve(name + ".out"), stdout);
    Path err = write(folder.resolve(name + ".err"), stderr);
    // Some end while others are still being submitted, most when all are running.
    Path gate = folder.resolve(stopped == Stopped.NEVER ? "gate" : "gate that never opens");
    boolean waits = stopped != Stopped.NEVER || number % 3 != 0;
    int half = random.nextInt(stdout.length);
    int exitCode = number % 5 == 0 ? 0 : 10 + number;
    String script =
        String.join(
            "\n",
            "echo \"$BERTH_ATTEMPT_ID\" >>'" + sideFile(folder) + "'",
            "head -c " + half + " '" + out + "'",
            "cat '" + err + "' >&2",
            waits ? "while [ ! -e '" + gate + "' ]; do sleep 0.2; done" : "sleep 0.3",
            "tail -c +" + (half + 1) + " '" + out + "'",
            "exit " + exitCode);
    return new CrashJob(name, script, exitCode, stdout, stderr, stopped);
  }

  /** Where every job notes that it started. */
  static Path sideFile(Path folder) {
    return folder.resolve("started");
  }

  /** The attempts that noted there that they started. */
  static List<String> started(Path scratch) {
    try {
      Path file = sideFile(scratch);
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void openGate(Path folder) {
    write(folder.resolve("gate"), new byte[0]);
  }

  boolean isStopped() {
    return stopped != Stopped.NEVER;
  }

  RunRequest request() {
    Map<String, @Nullable Object> configuration = new HashMap<>();
    configuration.put("type", "task");
    configuration.put("commands", List.of(script));
    configuration.put("stop_duration", 5);
    return new RunRequest(name, configuration);
  }

  /** The same on a machine of a backend, which is kept for a while when it has no work. */
  RunRequest request(String backend, Duration idle) {
    Map<String, @Nullable Object> configuration = new HashMap<>(request().configuration());
    configuration.put("backends", List.of(backend));
    configuration.put("idle_duration", idle.toSeconds());
    return new RunRequest(name, configuration);
  }

  /** The same in a container of an image, which sees the folder that all jobs share. */
  RunRequest request(String image, Path folder, String backend) {
    Map<String, @Nullable Object> configuration = new HashMap<>(request().configuration());
    configuration.put("image", image);
    configuration.put(
        "volumes", List.of(Map.of("instance_path", folder.toString(), "path", folder.toString())));
    configuration.put("backends", List.of(backend));
    return new RunRequest(name, configuration);
  }

  private static Path write(Path file, byte[] bytes) {
    try {
      return Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
