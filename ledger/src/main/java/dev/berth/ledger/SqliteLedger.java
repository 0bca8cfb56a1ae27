package dev.berth.ledger;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A ledger in a SQLite file, for one server on one machine.
 *
 * <p>The file belongs to one process at a time. All writes happen on one thread, reads on a few
 * others and at the same time; callers hand over and wait.
 */
public final class SqliteLedger extends SqlLedger {
  private static final int READERS = 3;

  /** A disk answers, or fails: only a migration, which nobody waits behind, takes long. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ProcessLock lock;
  private final SqliteWriter writer;
  private final SqliteReaders readers;
  private final LedgerThreads readerThreads =
      new LedgerThreads(threads, "ledger-reader", READERS, PATIENCE);
  private final AtomicBoolean closed = new AtomicBoolean();

  private SqliteLedger(ProcessLock lock, SqliteFile file, TransactionControl transactions) {
    super(PATIENCE);
    this.lock = lock;
    this.writer = new SqliteWriter(file, transactions);
    this.readers = new SqliteReaders(file);
  }

  /**
   * Opens a database, and makes it with its folder where there is none (for the owner's eyes only).
   *
   * @throws LedgerException IN_USE by another process, CANNOT_OPEN, READ_ONLY, DISK_FULL,
   *     CORRUPTED, SCHEMA_NEWER than this program, or SCHEMA_FOREIGN; nothing stays open or locked
   *     then
   */
  public static SqliteLedger open(Path database) {
    return open(database, TransactionControl.sqlite());
  }

  static SqliteLedger open(Path database, TransactionControl transactions) {
    SqliteFile file = new SqliteFile(database);
    SqliteLedger ledger = new SqliteLedger(lock(file), file, transactions);
    boolean opened = false;
    try {
      ledger.writerThread.call(
          () -> {
            ledger.writer.open();
            return true;
          });
      opened = true;
      return ledger;
    } finally {
      if (!opened) {
        ledger.close();
      }
    }
  }

  private static ProcessLock lock(SqliteFile file) {
    ProcessLock lock = null;
    boolean created = false;
    try {
      PrivateFiles.createFolders(PrivateFiles.folderOf(file.path()));
      lock = ProcessLock.acquire(file.path());
      file.create();
      created = true;
      return lock;
    } catch (IOException e) {
      throw new LedgerException(
          LedgerException.Code.CANNOT_OPEN,
          file.path()
              + " cannot be opened. Check the path, the permissions of its folder and the space on"
              + " its disk. ("
              + e
              + ")",
          e);
    } finally {
      if (!created && lock != null) {
        lock.close();
      }
    }
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    signals.close();
    // From last to first: threads before the connections they use, the lock at the very end.
    try (lock;
        writer;
        writerThread;
        readers) {
      readerThreads.close();
    }
  }

  /** The lock of the process keeps every other one out. */
  @Override
  void listen() {}

  @Override
  SqliteWriter writer() {
    return writer;
  }

  @Override
  <T> T read(SqlWork<T> work) {
    return readerThreads.call(() -> readers.read(work));
  }

  @Override
  <T> T readOnce(SqlWork<T> work) {
    return readerThreads.call(() -> readers.readOnce(work));
  }
}
