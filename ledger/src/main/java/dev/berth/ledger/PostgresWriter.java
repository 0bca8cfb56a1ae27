package dev.berth.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** What writes to PostgreSQL. Used by the writer thread only. */
final class PostgresWriter {
  private final PostgresConnections connections;
  private final TransactionControl transactions;
  private final UnclearRealms unclear = new UnclearRealms();

  PostgresWriter(PostgresConnections connections, TransactionControl transactions) {
    this.connections = connections;
    this.transactions = transactions;
  }

  /** Does work that may take the realm over. */
  Optional<Tenure> taking(Tenure wanted, SqlWork<Optional<Tenure>> work) {
    Optional<Tenure> begun = inTransaction(wanted, work);
    begun.ifPresent(unclear::settle);
    return begun;
  }

  /** Does the work in a transaction whose first statement is the fence. */
  <T> T fenced(Tenure tenure, SqlWork<T> work) {
    unclear.requireClear(tenure);
    return inTransaction(tenure, work);
  }

  /** Does fenced work of one statement, of which nobody needs to know whether it was stored. */
  <T> T fencedOnce(Tenure tenure, SqlWork<T> work) {
    unclear.requireClear(tenure);
    try (Connection connection = connections.writer()) {
      return work.on(new KeptStatements(connection, Dialect.POSTGRESQL));
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private <T> T inTransaction(Tenure tenure, SqlWork<T> work) {
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
        throw PostgresErrors.undoneAtCommit(e) ? cause : unclear.doubt(tenure, cause);
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
