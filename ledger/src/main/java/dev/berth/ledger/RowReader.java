package dev.berth.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the columns of a result from left to right. */
final class RowReader {
  private final ResultSet rows;
  private int position;

  RowReader(ResultSet rows) {
    this.rows = rows;
  }

  boolean next() throws SQLException {
    position = 0;
    return rows.next();
  }

  String text() throws SQLException {
    return Objects.requireNonNull(textOrNull());
  }

  @Nullable String textOrNull() throws SQLException {
    return rows.getString(++position);
  }

  long number() throws SQLException {
    return rows.getLong(++position);
  }

  int smallNumber() throws SQLException {
    return rows.getInt(++position);
  }

  boolean flag() throws SQLException {
    return rows.getBoolean(++position);
  }

  Instant time() throws SQLException {
    return Instant.ofEpochMilli(number());
  }

  @Nullable Instant timeOrNull() throws SQLException {
    long millis = number();
    return rows.wasNull() ? null : Instant.ofEpochMilli(millis);
  }

  EntityKey key() throws SQLException {
    return new EntityKey(text(), text());
  }

  Body body() throws SQLException {
    return new Body(smallNumber(), text());
  }
}
