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
  private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();

  SqliteReaders(SqliteFile file) {
    this.file = file;
  }

  /** Does the work in a transaction of its own, so that all its statements see the same state. */
  <T> T read(SqliteWriter.Work<T> work) {
    try {
      Connection connection = idle.poll();
      if (connection == null) {
        connection = file.openReader();
      }
      boolean finished = false;
      try {
        connection.setAutoCommit(false);
        T result = work.on(connection);
        connection.commit();
        connection.setAutoCommit(true);
        finished = true;
        return result;
      } finally {
        if (finished) {
          idle.add(connection);
        } else {
          connection.close();
        }
      }
    } catch (SQLException e) {
      throw file.errors().of(e);
    }
  }

  /** Called when no read is under way any more. */
  @Override
  public void close() {
    for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
      try {
        connection.close();
      } catch (SQLException e) {
        throw file.errors().of(e);
      }
    }
  }
}
