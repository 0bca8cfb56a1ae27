package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Container;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Ten containers that write much at once, read by a process with little memory. */
@ResourceLock(TestEngine.DOCKER)
@Tag(TestEngine.TAG)
class LargeOutputTest {
  private static final int CONTAINERS = 10;
  private static final long IN_VERIFY = 4_000_000;
  private static final long IN_SOAK = 100_000_000;

  /** Less than two of the outputs of a soak, and than all of those of a build. */
  private static final String READERS_MEMORY = "-Xmx32m";

  @TempDir Path directory;

  private static long size() {
    return System.getProperty("berth.soak", "").isBlank() ? IN_VERIFY : IN_SOAK;
  }

  private static String line(int number) {
    return "container %d writes the same words again and again\n".formatted(number);
  }

  @Test
  void allOfItArrives() throws Exception {
    try (TestEngine engine = TestEngine.docker()) {
      TestImages.busybox(engine.engine());
      try (EngineJobs jobs = new EngineJobs(engine, directory)) {
        Map<String, String> expected = new TreeMap<>();
        for (int number = 0; number < CONTAINERS; number++) {
          String job =
              jobs.start(
                  EngineJobs.request(
                      Container.of(TestImages.BUSYBOX),
                      "yes '%s' | head -c %d".formatted(line(number).strip(), size())));
          expected.put(job, size() + " " + digest(number));
        }
        assertThat(read(engine, new ArrayList<>(expected.keySet()))).isEqualTo(expected);
        for (String job : expected.keySet()) {
          assertThat(jobs.awaitEnd(job).code()).isZero();
        }
      }
    }
  }

  private static String digest(int number) throws Exception {
    byte[] line = line(number).getBytes(StandardCharsets.UTF_8);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (long left = size(); left > 0; left -= line.length) {
      digest.update(line, 0, (int) Math.min(left, line.length));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Has another process follow all outputs at once; returns what it saw of each. */
  private Map<String, String> read(TestEngine engine, List<String> jobs) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                READERS_MEMORY,
                "-cp",
                System.getProperty("java.class.path"),
                OutputReader.class.getName(),
                engine.host(),
                directory.toString()));
    command.addAll(jobs);
    File errors = directory.resolve("reader-errors").toFile();
    Process reader = new ProcessBuilder(command).redirectError(errors).start();
    String text = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(reader.waitFor()).as("the reader: %s", Files.readString(errors.toPath())).isZero();
    Map<String, String> seen = new TreeMap<>();
    text.lines().map(line -> line.split(" ", 2)).forEach(parts -> seen.put(parts[0], parts[1]));
    return seen;
  }
}
