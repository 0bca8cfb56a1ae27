package dev.berth.hosts.gpus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a command for what it prints. The output goes through files, not pipes, so that a child of
 * the command that outlives it cannot hold us up.
 */
record ToolRun(Duration timeLimit) {
  private static final int SHOWN = 300;

  /** A command that did not do what it is for. */
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    FailedException(String message) {
      super(message);
    }
  }

  /** What the command printed. It is killed when its time is over, with its children. */
  String output(List<String> command) throws FailedException, IOException, InterruptedException {
    Path output = Files.createTempFile("berth-tool", ".out");
    Path errors = Files.createTempFile("berth-tool", ".err");
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().put("LC_ALL", "C");
      builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
      Process process = builder.start();
      try {
        if (!process.waitFor(timeLimit.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new FailedException("it did not end within " + timeLimit.toMillis() + " ms");
        }
      } finally {
        if (process.isAlive()) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
        }
      }
      String printed = read(output);
      if (process.exitValue() != 0) {
        String words = (printed.strip() + " " + read(errors).strip()).strip();
        throw new FailedException(
            "it ended with code %d: %s"
                .formatted(
                    process.exitValue(),
                    words.substring(0, Math.min(SHOWN, words.length())).replace('\n', ' ')));
      }
      return printed;
    } finally {
      Files.deleteIfExists(output);
      Files.deleteIfExists(errors);
    }
  }

  private static String read(Path file) throws IOException {
    // Not readString: a tool may print bytes that are no text.
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
