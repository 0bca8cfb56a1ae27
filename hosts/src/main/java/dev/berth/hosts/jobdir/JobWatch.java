package dev.berth.hosts.jobdir;

import dev.berth.hosts.HostException;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Follows the folder that runners write to, through the kernel's notifications: no polling,
 * whatever the number of jobs. One thread calls the consumer.
 */
public final class JobWatch implements Watch {
  private static final System.Logger LOGGER = System.getLogger(JobWatch.class.getName());

  private final WatchService service;
  private final Consumer<String> changed;
  private final Supplier<List<String>> everything;
  private final Consumer<JobWatch> onClose;
  private final Thread thread;

  /**
   * Starts following; what happens after the constructor returned is reported.
   *
   * @param everything the attempts to report when the kernel lost count
   */
  public JobWatch(
      Path events,
      Consumer<String> changed,
      Supplier<List<String>> everything,
      Consumer<JobWatch> onClose) {
    this.changed = changed;
    this.everything = everything;
    this.onClose = onClose;
    try {
      service = events.getFileSystem().newWatchService();
      events.register(
          service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
    } catch (IOException failure) {
      throw new HostException(
          HostException.Code.MACHINE, "the folder " + events + " cannot be watched", failure);
    }
    thread = Thread.ofVirtual().name("job-watch").start(this::follow);
  }

  private void follow() {
    try {
      while (true) {
        WatchKey key = service.take();
        key.pollEvents().forEach(this::report);
        key.reset();
      }
    } catch (ClosedWatchServiceException | InterruptedException closed) {
      // The only ways out: close() was called.
    }
  }

  private void report(WatchEvent<?> event) {
    if (event.context() instanceof Path name) {
      if (JobDirectory.isValidId(name.toString())) {
        tell(name.toString());
      }
    } else {
      everything.get().forEach(this::tell);
    }
  }

  /** Calls the consumer. */
  public void tell(String attemptId) {
    try {
      changed.accept(attemptId);
    } catch (RuntimeException failure) {
      // One consumer's fault must not make all later changes go unnoticed.
      LOGGER.log(
          System.Logger.Level.ERROR,
          "A change of attempt " + attemptId + " could not be taken note of",
          failure);
    }
  }

  @Override
  public void close() {
    onClose.accept(this);
    try {
      service.close();
      if (!Thread.currentThread().equals(thread)) {
        thread.join();
      }
    } catch (IOException failure) {
      throw new HostException(HostException.Code.MACHINE, "a watch cannot be closed", failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
