package dev.berth.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Connections that only read, one for each reader thread at most, opened when first needed.
 *
 * <p>A connection whose read failed is closed instead of used again.
 */
final class SqliteReaders implements AutoCloseable {
  private final SqliteFile file;
  private final ConcurrentLinkedQueue<KeptStatements> idle = new ConcurrentLinkedQueue<>();

  SqliteReaders(SqliteFile file) {
    this.file = file;
  }

  /** Does the work in a transaction of its own, so that all its statements see the same state. */
  <T> T read(SqlWork<T> work) {
    return readOnce(
        statements -> {
          Connection connection = statements.connection();
          connection.setAutoCommit(false);
          T result = work.on(statements);
          connection.commit();
          connection.setAutoCommit(true);
          return result;
        });
  }

  /** Does work of one statement, which sees one state by itself. */
  <T> T readOnce(SqlWork<T> work) {
    try {
      KeptStatements statements = idle.poll();
      if (statements == null) {
        statements = new KeptStatements(file.openReader(), Dialect.SQLITE);
      }
      boolean finished = false;
      try {
        T result = work.on(statements);
        finished = true;
        return result;
      } finally {
        if (finished) {
          idle.add(statements);
        } else {
          statements.connection().close();
        }
      }
    } catch (SQLException e) {
      throw file.errors().of(e);
    }
  }

  /** Called when no read is under way any more. */
  @Override
  public void close() {
    for (KeptStatements left = idle.poll(); left != null; left = idle.poll()) {
      try {
        left.connection().close();
      } catch (SQLException e) {
        throw file.errors().of(e);
      }
    }
  }
}
