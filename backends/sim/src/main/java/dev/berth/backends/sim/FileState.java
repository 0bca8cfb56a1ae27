package dev.berth.backends.sim;

import dev.berth.spi.BackendException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A world in a file, which survives us as a cloud would. Nothing is held open between two calls, so
 * there is nothing to close.
 */
final class FileState implements CloudState {
  /**
   * One lock for each file in this process, because the locks of files are between processes only.
   */
  private static final ConcurrentMap<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration ASK_EVERY = Duration.ofMillis(2);

  private final Path file;
  private final Path lockFile;
  private final Supplier<World> birth;
  private final CloudFile content;
  private final ReentrantLock lock;

  /** What was read or written last. Guarded by the lock. */
  private @Nullable World known;

  /** How far that stands in the file. Guarded by the lock. */
  private CloudFile.Position position = CloudFile.Position.NOWHERE;

  FileState(Path directory, Supplier<World> birth) {
    Path folder = directory.toAbsolutePath().normalize();
    this.file = folder.resolve("cloud.json");
    this.lockFile = folder.resolve("cloud.lock");
    this.content = new CloudFile(file);
    this.birth = birth;
    this.lock = LOCKS.computeIfAbsent(file, _ -> new ReentrantLock());
  }

  @Override
  public <T> T with(Function<World, T> body) {
    takeTurn();
    try {
      Files.createDirectories(file.getParent());
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = lock(channel)) {
        return locked(body);
      }
    } catch (IOException | JacksonException | OverlappingFileLockException e) {
      // What is in memory may be ahead of the file; the next call reads again.
      known = null;
      throw new BackendException.Transient(
          "the simulated cloud cannot use its file %s: %s".formatted(file, e.getMessage()), e);
    } finally {
      lock.unlock();
    }
  }

  /** Others of this process may stand in a queue behind somebody who waits for the file. */
  private void takeTurn() {
    try {
      if (!lock.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new BackendException.Transient("the simulated cloud does not answer", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException.Transient("waiting for the simulated cloud was interrupted", e);
    }
  }

  /**
   * Locks the file. Whoever holds it may stand still, and a provider that does not answer is an
   * error, so that nobody waits for ever. The system wakes nobody after a time: it is asked again.
   */
  private static FileLock lock(FileChannel channel) throws IOException {
    long began = System.nanoTime();
    while (true) {
      FileLock held = channel.tryLock();
      if (held != null) {
        return held;
      }
      if (System.nanoTime() - began > PATIENCE.toNanos()) {
        throw new IOException("another process holds it for too long");
      }
      LockSupport.parkNanos(ASK_EVERY.toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedIOException("waiting for it was interrupted");
      }
    }
  }

  private <T> T locked(Function<World, T> body) throws IOException {
    World world = load();
    // Until it is kept, the world in memory may not be what the file says.
    known = null;
    T answer = body.apply(world);
    World.Change change = world.takeChange();
    if (change != null) {
      position = content.write(world, change, position);
    }
    known = world;
    return answer;
  }

  private World load() throws IOException {
    World before = known;
    if (!content.exists()) {
      position = CloudFile.Position.NOWHERE;
      return birth.get();
    }
    if (before != null && content.isStillAt(position)) {
      position = content.readOn(before, position);
      return before;
    }
    CloudFile.Read read = content.read();
    if (before != null) {
      read.world().countAtLeast(before);
    }
    position = read.position();
    return read.world();
  }

  @Override
  public boolean isShared() {
    return true;
  }
}
