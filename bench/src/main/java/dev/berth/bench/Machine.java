package dev.berth.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Says what the figures were made on, because absolute times do not travel. */
final class Machine {
  private static final Path LOADS = Path.of("/proc/loadavg");

  private Machine() {}

  static String describe(Path root) {
    return "bench: %s, %d cores, load average %s, %s %s %s, JDK %s, commit %s"
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            Runtime.getRuntime().availableProcessors(),
            load(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"),
            Runtime.version(),
            commit(root));
  }

  /** The load of the last 1, 5 and 15 minutes where the machine tells, or of the last alone. */
  static String load() {
    try {
      String[] words = Files.readString(LOADS).split(" ");
      return words[0] + " " + words[1] + " " + words[2];
    } catch (IOException e) {
      return String.valueOf(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
  }

  private static String commit(Path root) {
    try {
      Process git =
          new ProcessBuilder("git", "-C", root.toString(), "describe", "--always", "--dirty")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String commit =
          new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return commit.isEmpty() ? "unknown" : commit;
    } catch (IOException e) {
      return "unknown";
    }
  }
}
