package dev.berth.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds a database for one process, through an operating system lock on a file beside it.
 *
 * <p>The system lets go of the lock when the process ends, however it ends, so there is no stale
 * lock to clean up. The file stays and names the process that held it last.
 */
final class ProcessLock implements AutoCloseable {
  /**
   * Lock files held by this process. Needed because POSIX locks belong to the process: opening and
   * closing the file a second time would silently drop the lock that is held.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private ProcessLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock or fails with IN_USE, naming the holder. The path is a real one, its folder
   * exists.
   */
  static ProcessLock acquire(Path database) throws IOException {
    Path file = database.resolveSibling(database.getFileName() + ".lock");
    if (!HELD.add(file)) {
      throw inUse(database, Long.toString(ProcessHandle.current().pid()));
    }
    FileChannel channel = null;
    boolean acquired = false;
    try {
      PrivateFiles.createIfAbsent(file);
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(database, holder(channel));
      }
      writeHolder(channel);
      acquired = true;
      return new ProcessLock(file, channel);
    } finally {
      if (!acquired) {
        close(channel, file);
      }
    }
  }

  @Override
  public void close() {
    try {
      close(channel, file);
    } catch (IOException e) {
      throw new LedgerException(
          LedgerException.Code.INPUT_OUTPUT, "The lock file " + file + " could not be closed.", e);
    }
  }

  private static void close(@Nullable FileChannel channel, Path file) throws IOException {
    try (channel) {
      // Closing the channel gives the lock back.
    } finally {
      HELD.remove(file);
    }
  }

  private static void writeHolder(FileChannel channel) throws IOException {
    String pid = ProcessHandle.current().pid() + "\n";
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(32);
    channel.read(bytes, 0);
    return StandardCharsets.US_ASCII.decode(bytes.flip()).toString().strip();
  }

  private static LedgerException inUse(Path database, String pid) {
    String holder = pid.isEmpty() ? "another process" : "process " + pid;
    return new LedgerException(
        LedgerException.Code.IN_USE,
        "The database "
            + database
            + " is in use by "
            + holder
            + ". Stop that server, or start this one with another data directory.");
  }
}
