package dev.berth.ledger;

import java.sql.Connection;
import java.sql.SQLException;

/** What writes to PostgreSQL. */
final class PostgresWriter extends SqlWriter {
  private final PostgresConnections connections;
  private final TransactionControl transactions;

  PostgresWriter(PostgresConnections connections, TransactionControl transactions) {
    this.connections = connections;
    this.transactions = transactions;
  }

  @Override
  <T> T once(SqlWork<T> work) {
    try (Connection connection = connections.writer()) {
      return work.on(new KeptStatements(connection, Dialect.POSTGRESQL));
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  <T> T inTransaction(Tenure tenure, SqlWork<T> work) {
    // Closing gives the connection back to the pool, and throws only where the pool is broken.
    try (Connection connection = connections.writer()) {
      T result = beforeCommit(connection, work);
      try {
        transactions.commit(connection);
        return result;
      } catch (SQLException e) {
        LedgerException cause = failure(e);
        connections.discardWriter(connection);
        // While the server may still be at it, it holds the realm's row: a take-over waits for it.
        throw PostgresErrors.undoneAtCommit(e) ? cause : doubt(tenure, cause);
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private <T> T beforeCommit(Connection connection, SqlWork<T> work) throws SQLException {
    try {
      transactions.begin(connection);
      return work.on(new KeptStatements(connection, Dialect.POSTGRESQL));
    } catch (SQLException | RuntimeException | Error e) {
      try {
        transactions.rollback(connection);
      } catch (SQLException broken) {
        e.addSuppressed(broken);
        connections.discardWriter(connection);
      }
      throw e;
    }
  }

  private LedgerException failure(SQLException e) {
    if (PostgresErrors.connectionLost(e)) {
      connections.discardIdle();
    }
    return connections.errors().of(e);
  }
}
