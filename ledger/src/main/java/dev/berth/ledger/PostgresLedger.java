package dev.berth.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in a PostgreSQL database, which several servers may share.
 *
 * <p>All writes of this process happen on one thread, reads on a few others; callers hand over and
 * wait. The threads are platform ones, because an interrupt closes the socket that a virtual thread
 * is waiting at, and a commit would then be unclear for no reason.
 */
public final class PostgresLedger extends SqlLedger {
  private final PostgresDatabase database;
  private final PostgresLimits limits;
  private final PostgresConnections connections;
  private final PostgresWriter writer;
  private final LedgerThreads readerThreads;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ReentrantLock listening = new ReentrantLock();
  private final InboxSignals inboxSignals = new InboxSignals();
  // Guarded by the lock above; made for the first who waits for events.
  private @Nullable PostgresListener listener;

  private PostgresLedger(
      PostgresDatabase database, PostgresLimits limits, TransactionControl transactions) {
    super(limits.answer());
    this.database = database;
    this.limits = limits;
    this.connections = new PostgresConnections(database, limits);
    this.writer = new PostgresWriter(connections, transactions);
    this.readerThreads =
        new LedgerThreads(threads, "ledger-reader", limits.readers(), limits.answer());
  }

  /** Opens a database with the usual limits. */
  public static PostgresLedger open(PostgresAddress address) {
    return open(address, PostgresLimits.USUAL);
  }

  /**
   * Opens a database and makes or migrates its tables. The database itself must be there.
   *
   * @throws LedgerException UNREACHABLE, CANNOT_OPEN (no such database, wrong password, lack of
   *     rights), READ_ONLY, SCHEMA_NEWER than this program, or SCHEMA_FOREIGN; nothing stays open
   *     then
   */
  public static PostgresLedger open(PostgresAddress address, PostgresLimits limits) {
    return open(address, limits, TransactionControl.jdbc());
  }

  static PostgresLedger open(
      PostgresAddress address, PostgresLimits limits, TransactionControl transactions) {
    PostgresDatabase database = new PostgresDatabase(address);
    // On a thread that nobody interrupts, as everything else.
    try (LedgerThreads opening =
        new LedgerThreads(new ThreadGroup("ledger"), "ledger-opening", 1, limits.answer())) {
      return opening.call(
          () -> {
            database.migrate();
            return new PostgresLedger(database, limits, transactions);
          });
    }
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public Optional<Inbox> inbox() {
    return Optional.of(new PostgresInbox(this, inboxSignals));
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    signals.close();
    inboxSignals.close();
    // From last to first: threads before the connections they use.
    try (connections;
        writerThread;
        readerThreads) {
      stopListening();
    }
  }

  private void stopListening() {
    listening.lock();
    try {
      if (listener != null) {
        listener.close();
      }
    } finally {
      listening.unlock();
    }
  }

  @Override
  void listen() {
    listening.lock();
    try {
      if (listener == null && !closed.get()) {
        listener = new PostgresListener(database, limits, signals, inboxSignals);
      }
    } finally {
      listening.unlock();
    }
  }

  @Override
  PostgresWriter writer() {
    return writer;
  }

  @Override
  <T> T read(SqlWork<T> work) {
    return readOnce(
        statements -> {
          Connection connection = statements.connection();
          connection.setAutoCommit(false);
          T result = work.on(statements);
          connection.commit();
          return result;
        });
  }

  @Override
  <T> T readOnce(SqlWork<T> work) {
    return readerThreads.call(() -> readHere(work));
  }

  /** The pool undoes what a failed read left open. */
  private <T> T readHere(SqlWork<T> work) {
    try (Connection connection = connections.reader()) {
      return work.on(new KeptStatements(connection, Dialect.POSTGRESQL));
    } catch (SQLException e) {
      if (PostgresErrors.connectionLost(e)) {
        connections.discardIdle();
      }
      throw connections.errors().of(e);
    }
  }
}
