package dev.berth.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/** The realm row: take-over, fence and status. */
final class RealmStatements {
  private static final String TAKE_OVER =
      """
      INSERT INTO realm (id, epoch, seq, trimmed_seq, owner) VALUES (?, 1, 0, 0, ?)
      ON CONFLICT (id) DO UPDATE SET epoch = realm.epoch + 1, owner = excluded.owner
      RETURNING epoch, seq
      """;
  private static final String FENCE =
      "UPDATE realm SET seq = seq + ? WHERE id = ? AND epoch = ? RETURNING seq";
  private static final String STATUS =
      "SELECT id, owner, epoch, seq, trimmed_seq FROM realm WHERE id = ?";

  private RealmStatements() {}

  static Tenure takeOver(KeptStatements statements, Tenure wanted) throws SQLException {
    PreparedStatement statement = statements.of(TAKE_OVER);
    new Binder(statement).text(wanted.realm()).text(wanted.owner());
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      if (!row.next()) {
        throw new SQLException("taking over returned no row");
      }
      return new Tenure(wanted.realm(), wanted.owner(), row.number(), row.number());
    }
  }

  /**
   * Checks that the tenure still holds and reserves event numbers; must be the first statement of a
   * transaction, because its write lock is what keeps a later take-over out until the commit.
   */
  static Committed fence(KeptStatements statements, Tenure tenure, int events) throws SQLException {
    PreparedStatement statement = statements.of(FENCE);
    new Binder(statement).number(events).text(tenure.realm()).number(tenure.epoch());
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      if (!row.next()) {
        throw FencedException.takenOver(tenure);
      }
      long last = row.number();
      return new Committed(last - events + 1, last);
    }
  }

  static Optional<RealmStatus> find(KeptStatements statements, String realm) throws SQLException {
    PreparedStatement statement = statements.of(STATUS);
    new Binder(statement).text(realm);
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      return row.next()
          ? Optional.of(
              new RealmStatus(row.text(), row.text(), row.number(), row.number(), row.number()))
          : Optional.empty();
    }
  }
}
