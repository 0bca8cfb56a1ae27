package dev.berth.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The statements of one connection, each prepared once: preparing takes longer than most of them.
 * Used by one thread at a time. Closing the connection closes them.
 */
final class KeptStatements {
  private final Connection connection;
  private final Dialect dialect;
  private final Map<String, PreparedStatement> kept = new HashMap<>();

  KeptStatements(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  Connection connection() {
    return connection;
  }

  Dialect dialect() {
    return dialect;
  }

  /**
   * The statement, without what a use before left in it. In its text, {@code {now}} is the
   * database's clock. Whoever asks closes its results only.
   */
  PreparedStatement of(String sql) throws SQLException {
    PreparedStatement known = kept.get(sql);
    if (known == null) {
      known = connection.prepareStatement(sql.replace("{now}", dialect.now()));
      kept.put(sql, known);
    } else {
      known.clearBatch();
    }
    return known;
  }
}
