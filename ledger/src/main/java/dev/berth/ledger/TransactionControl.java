package dev.berth.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** How a write transaction begins and ends. Tests fail it on purpose. */
interface TransactionControl {
  void begin(Connection connection) throws SQLException;

  /** After a failure here nobody knows whether the transaction was stored. */
  void commit(Connection connection) throws SQLException;

  void rollback(Connection connection) throws SQLException;

  /**
   * Plain statements, because the driver's own {@code commit} begins the next transaction at once,
   * which would keep the write lock for ever.
   */
  static TransactionControl sqlite() {
    return new TransactionControl() {
      @Override
      public void begin(Connection connection) throws SQLException {
        run(connection, "BEGIN IMMEDIATE");
      }

      @Override
      public void commit(Connection connection) throws SQLException {
        run(connection, "COMMIT");
      }

      @Override
      public void rollback(Connection connection) throws SQLException {
        run(connection, "ROLLBACK");
      }
    };
  }

  /** The driver's own, which sends the beginning together with the first statement. */
  static TransactionControl jdbc() {
    return new TransactionControl() {
      @Override
      public void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
      }

      @Override
      public void commit(Connection connection) throws SQLException {
        connection.commit();
      }

      @Override
      public void rollback(Connection connection) throws SQLException {
        connection.rollback();
      }
    };
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
