package dev.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A command that was started. Its output goes to files, so it can be read while it runs. */
final class RunningCommand {
  private static final Pattern LEADS =
      Pattern.compile("forwarding 127\\.0\\.0\\.1:([0-9]+) to port");

  private final String shown;
  private final Process process;
  private final Path stdout;
  private final Path stderr;

  private RunningCommand(String shown, Process process, Path stdout, Path stderr) {
    this.shown = shown;
    this.process = process;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /**
   * Starts a command without a terminal.
   *
   * @param folder where it runs
   * @param scratch where its output is kept
   */
  static RunningCommand start(
      List<String> command, Map<String, String> variables, Path folder, Path scratch) {
    return start(
        command,
        variables,
        folder,
        scratch,
        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
  }

  /** The same, with another input. */
  static RunningCommand start(
      List<String> command,
      Map<String, String> variables,
      Path folder,
      Path scratch,
      ProcessBuilder.Redirect input) {
    try {
      Path stdout = Files.createTempFile(scratch, "stdout", "");
      Path stderr = Files.createTempFile(scratch, "stderr", "");
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      Distribution.clean(builder.environment());
      builder.environment().putAll(variables);
      builder.redirectInput(input);
      builder.redirectOutput(stdout.toFile()).redirectError(stderr.toFile());
      return new RunningCommand(command.getLast(), builder.start(), stdout, stderr);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process process() {
    return process;
  }

  /** Writes to the input of one that was started with a pipe. */
  RunningCommand type(String text) {
    try {
      process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("out:\n" + out(), e);
    }
  }

  String out() {
    return new String(bytes(stdout), StandardCharsets.UTF_8);
  }

  String err() {
    return new String(bytes(stderr), StandardCharsets.UTF_8);
  }

  RunningCommand awaitOut(String text) {
    return awaitText(text, stdout);
  }

  RunningCommand awaitErr(String text) {
    return awaitText(text, stderr);
  }

  /** Waits until it forwards a port, and returns that of this machine. */
  int awaitForwarded() {
    awaitErr("forwarding 127.0.0.1:");
    Matcher said = LEADS.matcher(err());
    if (!said.find()) {
      throw new AssertionError(err());
    }
    return Integer.parseInt(said.group(1));
  }

  private RunningCommand awaitText(String text, Path file) {
    Await.until(
        "'" + text + "' from the command ... " + shown,
        () -> new String(bytes(file), StandardCharsets.UTF_8).contains(text),
        () -> "alive: " + process.isAlive() + "\nout:\n" + out() + "\nerr:\n" + err());
    return this;
  }

  /** Waits for its end. */
  FinishedCommand await() {
    return await(Await.AT_MOST);
  }

  /** Waits for the end of one that may take longer than others. */
  FinishedCommand await(Duration atMost) {
    try {
      if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(
            "the command ... " + shown + " does not end\nout:\n" + out() + "\nerr:\n" + err());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
    return new FinishedCommand(process.exitValue(), bytes(stdout), bytes(stderr));
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
