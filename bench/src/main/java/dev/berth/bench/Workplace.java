package dev.berth.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A temporary folder, and the processes that work in it. Closing ends the processes and removes the
 * folder; so does the end of the JVM, for example by Ctrl-C.
 */
final class Workplace implements AutoCloseable {
  private static final Duration REMOVE_WITHIN = Duration.ofSeconds(5);

  private final Path root;
  private final Path folder;
  private final Leftovers leftovers;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicInteger homes = new AtomicInteger();
  private final Thread hook = new Thread(this::cleanUp, "bench-clean-up");

  private Workplace(Path root, Path folder) {
    this.root = root;
    this.folder = folder;
    this.leftovers = new Leftovers(folder);
  }

  /**
   * Opens a workplace.
   *
   * @param root the checkout whose launcher is measured
   */
  static Workplace open(Path root) throws IOException {
    Workplace place = new Workplace(root, Files.createTempDirectory("berth-bench-"));
    Runtime.getRuntime().addShutdownHook(place.hook);
    return place;
  }

  Path root() {
    return root;
  }

  Path folder() {
    return folder;
  }

  /** A fresh folder for the {@code BERTH_HOME} of one server. */
  Path newHome() throws IOException {
    return Files.createDirectories(folder.resolve("home-" + homes.incrementAndGet()));
  }

  /** The launcher with arguments, in the checkout, as a user of this home would call it. */
  ProcessBuilder berth(Path home, String... arguments) {
    List<String> command =
        Stream.concat(Stream.of(root.resolve("berth").toString()), Stream.of(arguments)).toList();
    ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
    builder.environment().put("BERTH_HOME", home.toString());
    builder.environment().put("BERTH_CATALOG", "off");
    List.of("BERTH_URL", "BERTH_TOKEN", "BERTH_PROJECT").forEach(builder.environment()::remove);
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(folder.resolve("stderr").toFile());
  }

  /** Starts a process, unless everything is being ended. */
  Process start(ProcessBuilder builder) throws IOException {
    if (closed.get()) {
      throw new IOException("the benchmarks were interrupted");
    }
    return builder.start();
  }

  /** Milliseconds from the start of a process to its end, which must be a good one. */
  double wallMillis(ProcessBuilder builder) throws IOException, InterruptedException {
    long started = System.nanoTime();
    int code = start(builder).waitFor();
    double millis = (System.nanoTime() - started) / 1e6;
    if (code != 0) {
      throw new IOException(
          String.join(" ", builder.command()) + " ended with " + code + ": " + lastWords());
    }
    return millis;
  }

  /** What the last started launcher wrote to its standard error. */
  private String lastWords() throws IOException {
    Path file = folder.resolve("stderr");
    return Files.exists(file) ? Files.readString(file).strip() : "";
  }

  boolean isClosed() {
    return closed.get();
  }

  @Override
  public void close() {
    cleanUp();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook does what we did.
    }
  }

  private synchronized void cleanUp() {
    closed.set(true);
    leftovers.end();
    long deadline = System.nanoTime() + REMOVE_WITHIN.toNanos();
    while (Files.exists(folder)) {
      try {
        remove(folder);
      } catch (IOException | UncheckedIOException e) {
        // Somebody was still writing: what is new is removed in the next round.
        if (System.nanoTime() > deadline) {
          System.err.println("bench: " + folder + " could not be removed: " + e.getMessage());
          return;
        }
      }
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      // Removed by somebody else.
    }
  }
}
