package dev.berth.backends.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for a file through the kernel's notifications. */
final class FolderWatch {
  private FolderWatch() {}

  static void await(Path folder, String name, Duration patience)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    try (WatchService service = folder.getFileSystem().newWatchService()) {
      folder.register(service, StandardWatchEventKinds.ENTRY_CREATE);
      while (!Files.exists(folder.resolve(name))) {
        long left = deadline - System.nanoTime();
        assertThat(left).as("patience with the file %s", name).isPositive();
        WatchKey key = service.poll(left, TimeUnit.NANOSECONDS);
        if (key != null) {
          key.pollEvents();
          key.reset();
        }
      }
    }
  }
}
