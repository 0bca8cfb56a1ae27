package dev.berth.hosts.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits for a file's content through the kernel's notifications. */
final class FileGrowth implements AutoCloseable {
  private final Path file;
  private final WatchService service;

  FileGrowth(Path file) {
    this.file = file;
    try {
      service = file.getFileSystem().newWatchService();
      Objects.requireNonNull(file.getParent())
          .register(
              service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  String await(Predicate<String> wanted, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      while (true) {
        String text = Files.exists(file) ? Files.readString(file) : "";
        if (wanted.test(text)) {
          return text;
        }
        long left = deadline - System.nanoTime();
        assertThat(left).as("patience with %s, which contains '%s'", file, text).isPositive();
        WatchKey key = service.poll(left, TimeUnit.NANOSECONDS);
        if (key != null) {
          key.pollEvents();
          key.reset();
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Override
  public void close() {
    try {
      service.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
