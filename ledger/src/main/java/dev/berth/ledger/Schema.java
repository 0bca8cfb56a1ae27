package dev.berth.ledger;

import dev.berth.ledger.LedgerException.Code;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.sqlite.SQLiteDataSource;

/**
 * Brings the tables of a database to the shape that this program knows.
 *
 * <p>Flyway is started only where there is something to migrate: loading it costs about as much as
 * all the rest of opening a database.
 */
final class Schema {
  /** The version of the newest file in {@code migrations}. */
  static final int CURRENT = 1;

  private static final String HISTORY = "schema_history";
  // Held here because the logging system forgets a logger, and its level, that nobody refers to.
  private static final Logger FLYWAY_LOG = Logger.getLogger("org.flywaydb");

  private Schema() {}

  static void migrate(Connection connection, SqliteFile database) throws SQLException {
    Path file = database.path();
    int found = version(connection);
    if (found > CURRENT) {
      throw new LedgerException(
          Code.SCHEMA_NEWER,
          file
              + " was written by a newer version of Berth (schema "
              + found
              + "; this one knows "
              + CURRENT
              + "). Install that version again, or restore a backup from before the upgrade.");
    }
    if (found < CURRENT) {
      runFlyway(database);
    }
  }

  /** The newest migration that was carried out; 0 for an empty database. */
  private static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet tables =
          statement.executeQuery(
              "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '"
                  + HISTORY
                  + "'")) {
        if (!tables.next() || tables.getInt(1) == 0) {
          return 0;
        }
      }
      try (ResultSet version =
          statement.executeQuery(
              "SELECT max(CAST(version AS INTEGER)) FROM " + HISTORY + " WHERE success")) {
        return version.next() ? version.getInt(1) : 0;
      }
    }
  }

  private static void runFlyway(SqliteFile database) throws SQLException {
    Path file = database.path();
    // Otherwise a first start prints ten lines that help nobody.
    FLYWAY_LOG.setLevel(Level.WARNING);
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + file);
    try {
      Flyway.configure(Schema.class.getClassLoader())
          .dataSource(source)
          .locations("classpath:dev/berth/ledger/migrations")
          .failOnMissingLocations(true)
          .table(HISTORY)
          .load()
          .migrate();
    } catch (FlywayException e) {
      throwStorageTrouble(e, database);
      throw new LedgerException(
          Code.SCHEMA_FOREIGN,
          file
              + " cannot be brought to schema "
              + CURRENT
              + "; it seems to belong to another program or to have been changed by hand. Restore"
              + " a backup, or start with another data directory. ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** A full disk, for example, is not a foreign schema, though Flyway wraps both alike. */
  private static void throwStorageTrouble(FlywayException failure, SqliteFile database)
      throws SQLException {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException trouble
          && database.errors().of(trouble).code() != Code.INTERNAL) {
        throw trouble;
      }
    }
  }
}
