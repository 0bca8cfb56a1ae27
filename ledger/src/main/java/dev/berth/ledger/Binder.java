package dev.berth.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Fills the parameters of a statement from left to right. */
final class Binder {
  private final PreparedStatement statement;
  private int position;

  Binder(PreparedStatement statement) {
    this.statement = statement;
  }

  Binder text(@Nullable String value) throws SQLException {
    statement.setString(++position, value);
    return this;
  }

  Binder number(long value) throws SQLException {
    statement.setLong(++position, value);
    return this;
  }

  Binder flag(boolean value) throws SQLException {
    statement.setBoolean(++position, value);
    return this;
  }

  Binder time(@Nullable Instant value) throws SQLException {
    position++;
    if (value == null) {
      statement.setNull(position, Types.BIGINT);
    } else {
      statement.setLong(position, value.toEpochMilli());
    }
    return this;
  }

  Binder key(EntityKey key) throws SQLException {
    return text(key.kind()).text(key.id());
  }

  Binder body(Body body) throws SQLException {
    return number(body.version()).text(body.json());
  }

  /** Ends one row of a batch; the next parameter is the first again. */
  void endRow() throws SQLException {
    statement.addBatch();
    position = 0;
  }
}
