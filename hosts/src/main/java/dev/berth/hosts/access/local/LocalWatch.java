package dev.berth.hosts.access.local;

import dev.berth.hosts.access.FolderWatch;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.function.Consumer;

/**
 * Follows a folder through the kernel's notifications: no polling, whatever the number of files.
 * One thread calls back.
 */
final class LocalWatch implements FolderWatch {
  private static final System.Logger LOGGER = System.getLogger(LocalWatch.class.getName());

  private final Path folder;
  private final WatchService service;
  private final Consumer<String> changed;
  private final Runnable overflow;
  private final LocalWatches watches;
  private final Thread thread;

  LocalWatch(Path folder, Consumer<String> changed, Runnable overflow, LocalWatches watches)
      throws IOException {
    this.folder = folder;
    this.changed = changed;
    this.overflow = overflow;
    this.watches = watches;
    service = folder.getFileSystem().newWatchService();
    try {
      folder.register(
          service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
    } catch (IOException failure) {
      service.close();
      throw failure;
    }
    watches.add(this);
    thread = Thread.ofVirtual().name("folder-watch").start(this::follow);
  }

  private void follow() {
    try {
      while (true) {
        WatchKey key = service.take();
        key.pollEvents().forEach(this::tell);
        key.reset();
      }
    } catch (ClosedWatchServiceException | InterruptedException closed) {
      // The only ways out: close() was called.
    }
  }

  private void tell(WatchEvent<?> event) {
    try {
      if (event.context() instanceof Path name) {
        changed.accept(name.toString());
      } else {
        overflow.run();
      }
    } catch (RuntimeException failure) {
      // One consumer's fault must not make all later changes go unnoticed.
      LOGGER.log(
          System.Logger.Level.ERROR,
          "A change in " + folder + " could not be taken note of",
          failure);
    }
  }

  @Override
  public void close() {
    watches.remove(this);
    try {
      service.close();
      if (!Thread.currentThread().equals(thread)) {
        thread.join();
      }
    } catch (IOException failure) {
      throw LocalFailures.of("the watch on " + folder + " cannot be closed", failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
