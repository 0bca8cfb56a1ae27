package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Coverage-guided fuzzing from all good cases, for {@code berth.fuzz.seconds} (8 in verify, an hour
 * in soak).
 */
final class FuzzTest {
  private static final int LONGEST_SEED_FILE = 2_000;

  @Test
  void onlyTheTypedErrorLeavesTheReaders(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder)
      throws IOException, InterruptedException {
    Path corpus = Files.createDirectory(folder.resolve("corpus"));
    int index = 0;
    for (String text : new TreeSet<>(AllCases.good().map(Case::text).toList())) {
      if (text.length() <= LONGEST_SEED_FILE) {
        Files.writeString(corpus.resolve("good-" + index++), text);
      }
    }
    int seconds = Integer.getInteger("berth.fuzz.seconds", 8);
    // A build starts from one seed, so that two builds of one commit agree; a soak explores.
    boolean soak = System.getProperty("berth.fuzz.seconds") != null;
    int seed = soak ? new SecureRandom().nextInt(1, Integer.MAX_VALUE) : 1;
    System.out.println("seed of the fuzzer: " + seed);
    SmallHeap.Result result =
        SmallHeap.run(
            folder,
            "com.code_intelligence.jazzer.Jazzer",
            List.of(
                "--target_class=" + FuzzedReaders.class.getName(),
                "--instrumentation_includes=dev.berth.**:org.snakeyaml.**",
                "--reproducer_path=" + folder,
                "-artifact_prefix=" + folder + "/",
                "-max_total_time=" + seconds,
                "-max_len=4096",
                "-timeout=120",
                "-seed=" + seed,
                corpus.toString()));
    assertThat(result.exitCode())
        .as("seed %s, files in %s:%n%s", seed, folder, result.tail())
        .isZero();
    result.output().lines().filter(line -> line.startsWith("Done ")).forEach(System.out::println);
  }
}
