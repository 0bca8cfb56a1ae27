package dev.berth.acceptance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The processes of this machine, as the kernel shows them. */
final class ProcessTable {
  private ProcessTable() {}

  /** A process and its command line. */
  record Entry(long pid, String command) {}

  /**
   * The living processes that have a text in their command line or environment. Servers, commands,
   * runners and jobs of a home have its path; runner and processes of a job have its attempt.
   */
  static List<Entry> mentioning(String wanted) {
    List<Entry> found = new ArrayList<>();
    long self = ProcessHandle.current().pid();
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      for (Path process : processes.toList()) {
        String name = process.getFileName().toString();
        if (!name.matches("[0-9]+") || Long.parseLong(name) == self) {
          continue;
        }
        String command = text(process.resolve("cmdline"));
        if (command.contains(wanted) || text(process.resolve("environ")).contains(wanted)) {
          found.add(new Entry(Long.parseLong(name), command.replace('\0', ' ').strip()));
        }
      }
    } catch (IOException e) {
      throw new AssertionError("/proc cannot be listed", e);
    }
    return found;
  }

  static boolean isAlive(long pid) {
    // A zombie has nothing of its own any more.
    return !text(Path.of("/proc", Long.toString(pid), "cmdline")).isEmpty();
  }

  /**
   * Whether nothing of a process is left but its number. One that was killed may hold its files for
   * a moment after its memory is gone, until the last of its threads has ended.
   */
  static boolean hasEnded(long pid) {
    Path process = Path.of("/proc", Long.toString(pid));
    String[] threads = process.resolve("task").toFile().list();
    return threads == null
        || (threads.length <= 1 && !text(process.resolve("stat")).matches("(?s).*\\) [^ZX] .*"));
  }

  static void signal(String name, long pid) {
    try {
      // Built into every shell; the command itself is not on every machine.
      new ProcessBuilder("sh", "-c", "kill \"-$1\" \"$2\"", "sh", name, Long.toString(pid))
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new AssertionError("kill cannot be called", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Empty where the process has ended meanwhile or belongs to the kernel. */
  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
