package dev.berth.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;

/** Removes what is old, in pieces small enough not to hold up the commits in between. */
final class TrimStatements {
  static final String OLDEST_EVENTS =
      "SELECT seq, at FROM event WHERE realm = ? ORDER BY seq LIMIT ?";
  private static final String DELETE_EVENTS = "DELETE FROM event WHERE realm = ? AND seq <= ?";
  private static final String NOTE_TRIMMED = "UPDATE realm SET trimmed_seq = ? WHERE id = ?";

  private TrimStatements() {}

  static String deleteReplies(Dialect dialect) {
    return "DELETE FROM reply WHERE realm = ? AND "
        + dialect.among(
            "scope, idempotency_key", "FROM reply WHERE realm = ? AND at < ? ORDER BY at LIMIT ?");
  }

  static String deleteActions(Dialect dialect) {
    return "DELETE FROM action WHERE realm = ? AND "
        + dialect.among(
            "id",
            """
            FROM action WHERE realm = ? AND finished_at IS NOT NULL AND finished_at < ?
              ORDER BY finished_at LIMIT ?\
            """);
  }

  static int trim(
      KeptStatements statements, Tenure tenure, Trimmable what, Instant olderThan, int atMost)
      throws SQLException {
    RealmStatements.fence(statements, tenure, 0);
    Dialect dialect = statements.dialect();
    return switch (what) {
      case EVENTS -> trimEvents(statements, tenure.realm(), olderThan, atMost);
      case REPLIES -> delete(statements, deleteReplies(dialect), tenure.realm(), olderThan, atMost);
      case FINISHED_ACTIONS ->
          delete(statements, deleteActions(dialect), tenure.realm(), olderThan, atMost);
    };
  }

  /** Clocks may step back, so it is the first younger event that ends the piece, not a time. */
  private static int trimEvents(
      KeptStatements statements, String realm, Instant olderThan, int atMost) throws SQLException {
    long newest = 0;
    PreparedStatement statement = statements.of(OLDEST_EVENTS);
    new Binder(statement).text(realm).number(atMost);
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      while (row.next()) {
        long seq = row.number();
        if (!row.time().isBefore(olderThan)) {
          break;
        }
        newest = seq;
      }
    }
    if (newest == 0) {
      return 0;
    }
    PreparedStatement delete = statements.of(DELETE_EVENTS);
    PreparedStatement note = statements.of(NOTE_TRIMMED);
    new Binder(delete).text(realm).number(newest);
    new Binder(note).number(newest).text(realm);
    note.executeUpdate();
    return delete.executeUpdate();
  }

  private static int delete(
      KeptStatements statements, String sql, String realm, Instant olderThan, int atMost)
      throws SQLException {
    PreparedStatement statement = statements.of(sql);
    new Binder(statement).text(realm).text(realm).time(olderThan).number(atMost);
    return statement.executeUpdate();
  }
}
