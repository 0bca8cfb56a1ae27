package dev.berth.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** The realm row: take-over, fence, sign of life and status. */
final class RealmStatements {
  private RealmStatements() {}

  static Tenure takeOver(KeptStatements statements, Tenure wanted) throws SQLException {
    PreparedStatement statement =
        statements.of(
            """
            INSERT INTO realm (id, epoch, seq, trimmed_seq, owner, alive_at)
              VALUES (?, 1, 0, 0, ?, {now})
            ON CONFLICT (id) DO UPDATE
              SET epoch = realm.epoch + 1, owner = excluded.owner, alive_at = excluded.alive_at
            RETURNING epoch, seq
            """);
    new Binder(statement).text(wanted.realm()).text(wanted.owner());
    return tenure(statement, wanted)
        .orElseThrow(() -> new SQLException("taking over returned no row"));
  }

  /** Takes over what nobody owns yet. */
  static Optional<Tenure> found(KeptStatements statements, Tenure wanted) throws SQLException {
    PreparedStatement statement =
        statements.of(
            """
            INSERT INTO realm (id, epoch, seq, trimmed_seq, owner, alive_at)
              VALUES (?, 1, 0, 0, ?, {now})
            ON CONFLICT (id) DO NOTHING RETURNING epoch, seq
            """);
    new Binder(statement).text(wanted.realm()).text(wanted.owner());
    return tenure(statement, wanted);
  }

  /** Takes over from the epoch that is named in what is wanted, where it has been silent. */
  static Optional<Tenure> takeOverIfSilent(
      KeptStatements statements, Tenure wanted, Duration silence) throws SQLException {
    PreparedStatement statement =
        statements.of(
            """
            UPDATE realm SET epoch = epoch + 1, owner = ?, alive_at = {now}
              WHERE id = ? AND epoch = ? AND (? = 0 OR coalesce(alive_at, 0) <= {now} - ?)
              RETURNING epoch, seq
            """);
    new Binder(statement)
        .text(wanted.owner())
        .text(wanted.realm())
        .number(wanted.epoch())
        .number(silence.toMillis())
        .number(silence.toMillis());
    return tenure(statement, wanted);
  }

  /** Makes a tenure look as if nothing had been heard of it for long. */
  static int release(KeptStatements statements, Tenure tenure) throws SQLException {
    PreparedStatement statement =
        statements.of("UPDATE realm SET alive_at = 0 WHERE id = ? AND epoch = ?");
    new Binder(statement).text(tenure.realm()).number(tenure.epoch());
    return statement.executeUpdate();
  }

  private static Optional<Tenure> tenure(PreparedStatement statement, Tenure wanted)
      throws SQLException {
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      return row.next()
          ? Optional.of(new Tenure(wanted.realm(), wanted.owner(), row.number(), row.number()))
          : Optional.empty();
    }
  }

  /**
   * Checks that the tenure still holds, notes that its owner lives, and reserves event numbers;
   * must be the first statement of a transaction, because its write lock is what keeps a later
   * take-over out until the commit.
   */
  static Committed fence(KeptStatements statements, Tenure tenure, int events) throws SQLException {
    PreparedStatement statement =
        statements.of(
            """
            UPDATE realm SET seq = seq + ?, alive_at = {now} WHERE id = ? AND epoch = ?
              RETURNING seq
            """);
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

  /** Counts a write of a tenure that is over. */
  static int countStale(KeptStatements statements, Tenure tenure) throws SQLException {
    PreparedStatement statement =
        statements.of("UPDATE realm SET stale_writes = stale_writes + 1 WHERE id = ?");
    new Binder(statement).text(tenure.realm());
    return statement.executeUpdate();
  }

  static Optional<RealmStatus> find(KeptStatements statements, String realm) throws SQLException {
    PreparedStatement statement =
        statements.of(
            """
            SELECT id, owner, epoch, seq, trimmed_seq, {now} - coalesce(alive_at, 0), stale_writes
              FROM realm WHERE id = ?
            """);
    new Binder(statement).text(realm);
    try (var result = statement.executeQuery()) {
      RowReader row = new RowReader(result);
      return row.next()
          ? Optional.of(
              new RealmStatus(
                  row.text(),
                  row.text(),
                  row.number(),
                  row.number(),
                  row.number(),
                  Duration.ofMillis(row.number()),
                  row.number()))
          : Optional.empty();
    }
  }
}
