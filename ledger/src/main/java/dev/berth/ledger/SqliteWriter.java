package dev.berth.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The one connection that writes to a SQLite file.
 *
 * <p>After any failure but a broken rule the connection is thrown away and opened again when it is
 * needed: SQLite may or may not have rolled back by itself, and closing settles that.
 */
final class SqliteWriter extends SqlWriter implements AutoCloseable {
  private final SqliteFile file;
  private final TransactionControl transactions;
  private @Nullable KeptStatements statements;

  SqliteWriter(SqliteFile file, TransactionControl transactions) {
    this.file = file;
    this.transactions = transactions;
  }

  /** Opens the connection and brings the schema up to date. */
  void open() {
    try {
      // The lock of the process keeps every other one out.
      if (Schema.isBehind(statements().connection(), file)) {
        Schema.migrate(file);
      }
    } catch (SQLException e) {
      throw file.errors().of(e);
    }
  }

  @Override
  <T> T once(SqlWork<T> work) {
    try {
      return work.on(statements());
    } catch (SQLException e) {
      LedgerException failure = file.errors().of(e);
      discard(failure);
      throw failure;
    }
  }

  @Override
  public void close() {
    KeptStatements open = statements;
    statements = null;
    if (open != null) {
      try {
        open.connection().close();
      } catch (SQLException e) {
        throw file.errors().of(e);
      }
    }
  }

  @Override
  <T> T inTransaction(Tenure tenure, SqlWork<T> work) {
    Connection current;
    T result;
    try {
      KeptStatements open = statements();
      current = open.connection();
      transactions.begin(current);
      result = work.on(open);
    } catch (SQLException e) {
      LedgerException failure = file.errors().of(e);
      abandon(failure);
      throw failure;
    } catch (RuntimeException | Error e) {
      abandon(e);
      throw e;
    }
    try {
      transactions.commit(current);
      return result;
    } catch (SQLException e) {
      CommitUnknownException failure = doubt(tenure, file.errors().of(e));
      discard(failure);
      throw failure;
    }
  }

  /** Undoes the transaction; nothing of it was committed, so closing the connection is enough. */
  private void abandon(Throwable failure) {
    KeptStatements current = statements;
    if (current != null && keepsConnection(failure)) {
      try {
        transactions.rollback(current.connection());
        return;
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
    discard(failure);
  }

  private static boolean keepsConnection(Throwable failure) {
    return failure instanceof FencedException || failure instanceof ConstraintException;
  }

  private void discard(Throwable failure) {
    try {
      close();
    } catch (LedgerException e) {
      failure.addSuppressed(e);
    }
  }

  private KeptStatements statements() throws SQLException {
    KeptStatements current = statements;
    if (current == null) {
      current = new KeptStatements(file.openWriter(), Dialect.SQLITE);
      statements = current;
    }
    return current;
  }
}
