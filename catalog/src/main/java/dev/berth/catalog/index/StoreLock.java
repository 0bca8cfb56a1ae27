package dev.berth.catalog.index;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one writer at a time into a folder, of all threads and all processes. The system lets go of
 * it when a process ends, however it ends.
 */
public final class StoreLock implements AutoCloseable {
  /**
   * A lock for each folder, because the system's belongs to the process: a second thread would be
   * refused, and by closing its file would drop the lock of the first.
   */
  private static final Map<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

  private final ReentrantLock threads;
  private final FileChannel channel;

  private StoreLock(ReentrantLock threads, FileChannel channel) {
    this.threads = threads;
    this.channel = channel;
  }

  /** Waits until nobody else is in the folder, which exists. */
  public static StoreLock acquire(Path folder) throws IOException {
    ReentrantLock threads = THREADS.computeIfAbsent(folder.toRealPath(), _ -> new ReentrantLock());
    threads.lock();
    try {
      return new StoreLock(threads, openLocked(folder.resolve(".lock")));
    } catch (IOException | RuntimeException e) {
      threads.unlock();
      throw e;
    }
  }

  private static FileChannel openLocked(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      channel.lock();
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      // Closing the channel gives the system's lock back.
    } finally {
      threads.unlock();
    }
  }
}
