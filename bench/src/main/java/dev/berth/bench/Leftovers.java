package dev.berth.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes that belong to a temporary folder. Servers and jobs leave the process tree on
 * purpose, so they are found by the folder's unique name in their environment, arguments or working
 * directory.
 */
final class Leftovers {
  private static final Path PROCESSES = Path.of("/proc");
  private static final Duration END_WITHIN = Duration.ofSeconds(10);

  private final String mark;

  Leftovers(Path folder) {
    this.mark = folder.toString();
  }

  /** Asks all of them to end, and after a while kills those that did not. */
  void end() {
    long killAt = System.nanoTime() + END_WITHIN.toNanos();
    long giveUpAt = killAt + END_WITHIN.toNanos();
    List<ProcessHandle> running = find();
    running.forEach(ProcessHandle::destroy);
    while (!running.isEmpty() && System.nanoTime() < giveUpAt) {
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        // The last chance to clean up is now, so it goes on, only faster.
        killAt = System.nanoTime();
      }
      running = find();
      boolean patient = System.nanoTime() < killAt;
      // Those that a dying one started in the meantime are asked too.
      running.forEach(patient ? ProcessHandle::destroy : ProcessHandle::destroyForcibly);
    }
    running.forEach(left -> System.err.println("bench: process " + left.pid() + " is left"));
  }

  List<ProcessHandle> find() {
    List<ProcessHandle> found = new ArrayList<>();
    try (Stream<Path> processes = Files.list(PROCESSES)) {
      processes
          .filter(process -> process.getFileName().toString().matches("[0-9]+"))
          .filter(this::isMarked)
          .map(process -> Long.parseLong(process.getFileName().toString()))
          .filter(pid -> pid != ProcessHandle.current().pid())
          .forEach(pid -> ProcessHandle.of(pid).ifPresent(found::add));
    } catch (IOException | UncheckedIOException e) {
      System.err.println("bench: processes cannot be listed: " + e.getMessage());
    }
    return found;
  }

  private boolean isMarked(Path process) {
    return contains(process.resolve("environ"))
        || contains(process.resolve("cmdline"))
        || worksInside(process.resolve("cwd"));
  }

  private boolean contains(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(mark);
    } catch (IOException e) {
      return false; // ended meanwhile, or somebody else's
    }
  }

  private boolean worksInside(Path link) {
    try {
      return Files.readSymbolicLink(link).toString().startsWith(mark);
    } catch (IOException e) {
      return false;
    }
  }
}
