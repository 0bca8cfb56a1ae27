package dev.berth.ledger;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A ledger in a SQLite file, for one server on one machine.
 *
 * <p>The file belongs to one process at a time. All writes happen on one thread, reads on a few
 * others and at the same time; callers hand over and wait.
 */
public final class SqliteLedger implements Ledger {
  private static final int READERS = 3;

  private final ProcessLock lock;
  private final SqliteWriter writer;
  private final SqliteReaders readers;
  private final ThreadGroup threads = new ThreadGroup("ledger");
  private final LedgerThreads writerThread = new LedgerThreads(threads, "ledger-writer", 1);
  private final LedgerThreads readerThreads = new LedgerThreads(threads, "ledger-reader", READERS);
  private final AtomicBoolean closed = new AtomicBoolean();

  private SqliteLedger(ProcessLock lock, SqliteFile file, TransactionControl transactions) {
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
  public Tenure takeOver(String realm, String owner) {
    Tenure wanted = new Tenure(realm, owner, 0, 0);
    return writerThread.call(() -> writer.takeOver(wanted));
  }

  @Override
  public Committed commit(Tenure tenure, Commit commit) {
    return write(tenure, c -> CommitStatements.write(c, tenure, commit));
  }

  @Override
  public int trim(Tenure tenure, Trimmable what, Instant olderThan, int atMost) {
    Instant before = StorableText.time("older than", olderThan);
    int limit = Trimmable.requirePositive(atMost);
    return write(tenure, c -> TrimStatements.trim(c, tenure, what, before, limit));
  }

  @Override
  public Optional<RealmStatus> findRealm(String realm) {
    return readOnce(c -> RealmStatements.find(c, realm));
  }

  @Override
  public long readActive(String realm, Consumer<Stored<EntityRow>> receiver) {
    return read(c -> EntityStatements.readActive(c, realm, receiver));
  }

  @Override
  public Optional<Stored<EntityRow>> find(String realm, EntityKey key) {
    return readOnce(c -> EntityStatements.find(c, realm, key));
  }

  @Override
  public Optional<Stored<EntityRow>> findActiveByName(
      String realm, String kind, String project, String name) {
    return readOnce(
        c ->
            EntityStatements.findNamed(
                c, EntityStatements.ACTIVE_BY_NAME, realm, kind, project, name));
  }

  @Override
  public Optional<Stored<EntityRow>> findLatestByName(
      String realm, String kind, String project, String name) {
    return readOnce(
        c ->
            EntityStatements.findNamed(
                c, EntityStatements.LATEST_BY_NAME, realm, kind, project, name));
  }

  @Override
  public Page<Stored<EntityRow>> list(String realm, EntityQuery query) {
    return readOnce(c -> EntityStatements.list(c, realm, query));
  }

  @Override
  public EventPage events(String realm, EventQuery query) {
    return read(c -> JournalStatements.events(c, realm, query));
  }

  @Override
  public Optional<Stored<ActionRow>> findAction(String realm, String id) {
    return readOnce(c -> JournalStatements.findAction(c, realm, id));
  }

  @Override
  public List<Stored<ActionRow>> unfinishedActions(String realm) {
    return readOnce(c -> JournalStatements.unfinished(c, realm));
  }

  @Override
  public ReplyLookup findReply(String realm, IdempotencyKey key, String requestHash) {
    return ReplyLookup.of(readOnce(c -> JournalStatements.findReply(c, realm, key)), requestHash);
  }

  /** Going to another thread takes longer than a look, so all are looked at there at once. */
  @Override
  public List<ReplyLookup> findReplies(String realm, List<ReplyLookup.Question> questions) {
    return read(
        c -> {
          List<ReplyLookup> found = new ArrayList<>();
          for (ReplyLookup.Question question : questions) {
            found.add(
                ReplyLookup.of(
                    JournalStatements.findReply(c, realm, question.key()), question.requestHash()));
          }
          return found;
        });
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    // From last to first: threads before the connections they use, the lock at the very end.
    try (lock;
        writer;
        writerThread;
        readers) {
      readerThreads.close();
    }
  }

  private <T> T write(Tenure tenure, SqliteWriter.Work<T> work) {
    return writerThread.call(() -> writer.fenced(tenure, work));
  }

  private <T> T read(SqliteWriter.Work<T> work) {
    return readerThreads.call(() -> readers.read(work));
  }

  /** For what is one statement. */
  private <T> T readOnce(SqliteWriter.Work<T> work) {
    return readerThreads.call(() -> readers.readOnce(work));
  }
}
