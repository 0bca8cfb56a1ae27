package dev.berth.backends.sim;

import dev.berth.spi.BackendException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A world in a file, which survives us as a cloud would. Nothing is held open between two calls, so
 * there is nothing to close.
 */
final class FileState implements CloudState {
  /**
   * One lock for each file in this process, because the locks of files are between processes only.
   */
  private static final ConcurrentMap<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

  /** The number of a state stands before it, so that one look tells whether it is known already. */
  private static final int VERSION_DIGITS = 19;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path file;
  private final Path lockFile;
  private final Path nextFile;
  private final Supplier<World> birth;
  private final ReentrantLock lock;

  /** What was read or written last, and its number. Guarded by the lock. */
  private @Nullable World known;

  private long knownVersion;

  FileState(Path directory, Supplier<World> birth) {
    Path folder = directory.toAbsolutePath().normalize();
    this.file = folder.resolve("cloud.json");
    this.lockFile = folder.resolve("cloud.lock");
    this.nextFile = folder.resolve("cloud.json.next");
    this.birth = birth;
    this.lock = LOCKS.computeIfAbsent(file, _ -> new ReentrantLock());
  }

  @Override
  public <T> T with(Function<World, T> body) {
    lock.lock();
    try {
      Files.createDirectories(file.getParent());
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
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

  private <T> T locked(Function<World, T> body) throws IOException {
    World world = load();
    // Until it is kept, the world in memory may not be what the file says.
    known = null;
    T answer = body.apply(world);
    if (world.takeChanged()) {
      store(world, ++knownVersion);
    }
    known = world;
    return answer;
  }

  private World load() throws IOException {
    if (!Files.exists(file)) {
      knownVersion = 0;
      return birth.get();
    }
    World before = known;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer head = ByteBuffer.allocate(VERSION_DIGITS);
      readFully(channel, head);
      long version = Long.parseLong(new String(head.array(), StandardCharsets.US_ASCII));
      if (before != null && version == knownVersion) {
        return before;
      }
      ByteBuffer rest = ByteBuffer.allocate(Math.toIntExact(channel.size() - VERSION_DIGITS));
      readFully(channel, rest);
      World world = World.of(JSON.readValue(rest.array(), World.Saved.class));
      if (before != null) {
        world.countAtLeast(before);
      }
      knownVersion = version;
      return world;
    } catch (NumberFormatException e) {
      throw new IOException("it does not begin with the number of its state", e);
    }
  }

  private static void readFully(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new IOException("it ends too early");
      }
    }
  }

  private void store(World world, long version) throws IOException {
    byte[] head =
        ("%0" + VERSION_DIGITS + "d").formatted(version).getBytes(StandardCharsets.US_ASCII);
    byte[] body = JSON.writeValueAsBytes(world.saved());
    try (FileChannel channel =
        FileChannel.open(
            nextFile,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      writeFully(channel, ByteBuffer.wrap(head));
      writeFully(channel, ByteBuffer.wrap(body));
      channel.force(true);
    }
    Files.move(nextFile, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel names = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  private static void writeFully(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  @Override
  public boolean isShared() {
    return true;
  }
}
