package dev.berth.hosts.access.local;

import dev.berth.hosts.HostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How a command is started with no signal ignored, whatever this process inherited. Whoever starts
 * the server with {@code nohup}, in the background or from a CI runner lets it ignore HUP, INT or
 * QUIT; processes pass that on, no shell can undo it for itself, and a job would not end by {@code
 * kill -INT}.
 *
 * @param prefix the words to put before a command; none where nothing is ignored
 * @param stillIgnored the signals that a command ignores even so, by name
 */
record DefaultSignals(List<String> prefix, List<String> stillIgnored) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String IGNORED = "SigIgn:";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Those above are real-time signals, which the C library keeps to itself. */
  private static final int LAST = 31;

  private static final Map<Integer, String> NAMES =
      Map.of(1, "HUP", 2, "INT", 3, "QUIT", 10, "USR1", 12, "USR2", 13, "PIPE", 15, "TERM");

  DefaultSignals {
    prefix = List.copyOf(prefix);
    stillIgnored = List.copyOf(stillIgnored);
  }

  /** Finds out what this process ignores and, only where it does, whether {@code env} can help. */
  static DefaultSignals detect(Executables executables) {
    List<String> ignored = ignored();
    if (ignored.isEmpty()) {
      return new DefaultSignals(List.of(), List.of());
    }
    return executables
        .find("env")
        .map(env -> List.of(env.toString(), "--default-signal"))
        .filter(DefaultSignals::works)
        .map(prefix -> new DefaultSignals(prefix, List.of()))
        .orElseGet(() -> new DefaultSignals(List.of(), ignored));
  }

  /** The signals that this process ignores, as every process that it starts would. */
  static List<String> ignored() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith(IGNORED))
          .map(line -> names(Long.parseUnsignedLong(line.substring(IGNORED.length()).strip(), 16)))
          .findFirst()
          .orElse(List.of());
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE,
          "this process's signals cannot be read from " + STATUS,
          failure);
    }
  }

  static List<String> names(long mask) {
    List<String> names = new ArrayList<>();
    for (int signal = 1; signal <= LAST; signal++) {
      if ((mask >> (signal - 1) & 1) == 1) {
        names.add(NAMES.getOrDefault(signal, String.valueOf(signal)));
      }
    }
    return names;
  }

  /** GNU has it since coreutils 8.31; others refuse the option. */
  private static boolean works(List<String> prefix) {
    List<String> words = new ArrayList<>(prefix);
    words.add("true");
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    try {
      Process trial = builder.start();
      trial.getOutputStream().close();
      if (trial.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        return trial.exitValue() == 0;
      }
      trial.destroyForcibly();
      return false;
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the command " + prefix + " cannot be started", failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new HostException(
          HostException.Code.MACHINE, "trying " + prefix + " was interrupted", interrupted);
    }
  }

  /** What a job has to know of it; empty where nothing is ignored. */
  List<String> warnings() {
    return stillIgnored.isEmpty()
        ? List.of()
        : List.of(
            "the job ignores %s, because the server was started so and this machine's env has no --default-signal (coreutils 8.31 or newer has)"
                .formatted(String.join(", ", stillIgnored)));
  }
}
