package dev.berth.ledger;

import dev.berth.ledger.LedgerException.Code;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings the tables of a database to the shape that this program knows.
 *
 * <p>Flyway is started only where there is something to migrate: loading it costs about as much as
 * all the rest of opening a database.
 */
final class Schema {
  /** The version of the newest file in {@code migrations}; others may only stand between two. */
  static final int CURRENT = 3;

  private static final String HISTORY = "schema_history";
  // Held here because the logging system forgets a logger, and its level, that nobody refers to.
  private static final Logger FLYWAY_LOG = Logger.getLogger("org.flywaydb");

  private Schema() {}

  /** Whether there is something to migrate; fails where the database is newer than the program. */
  static boolean isBehind(Connection connection, Database database) throws SQLException {
    int found = version(connection, database.dialect());
    if (found > CURRENT) {
      requireUnderstood(connection, "reader", database.name());
    }
    return found < CURRENT;
  }

  /**
   * Checks, in the transaction of whoever takes over, that this program may write what newer ones
   * have made of the database since it was opened.
   */
  static void requireWritable(KeptStatements statements) throws SQLException {
    requireUnderstood(statements.connection(), "writer", "The database");
  }

  /** A newer version says which older ones can live with what it changed. */
  private static void requireUnderstood(Connection connection, String by, String name)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet oldest = statement.executeQuery("SELECT max(" + by + ") FROM understood_by")) {
      if (oldest.next() && oldest.getInt(1) > CURRENT) {
        throw new LedgerException(
            Code.SCHEMA_NEWER,
            name
                + " was written by a newer version of Berth (it needs one that knows schema "
                + oldest.getInt(1)
                + "; this one knows "
                + CURRENT
                + "). Install that version again, or restore a backup from before the upgrade.");
      }
    }
  }

  /** The newest migration that was carried out; 0 for an empty database. */
  private static int version(Connection connection, Dialect dialect) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet tables = statement.executeQuery(dialect.countHistories())) {
        if (!tables.next() || tables.getInt(1) == 0) {
          return 0;
        }
      }
      try (ResultSet version = statement.executeQuery(dialect.newestMigration())) {
        return version.next() ? version.getInt(1) : 0;
      }
    }
  }

  /** Carries out what is missing. Only one program at a time may do so. */
  static void migrate(Database database) throws SQLException {
    // Otherwise a first start prints ten lines that help nobody.
    FLYWAY_LOG.setLevel(Level.WARNING);
    try {
      Flyway.configure(Schema.class.getClassLoader())
          .dataSource(database.forMigrations())
          .locations(database.dialect().migrations().toArray(String[]::new))
          .failOnMissingLocations(true)
          .table(HISTORY)
          .load()
          .migrate();
    } catch (FlywayException e) {
      throwStorageTrouble(e, database);
      throw new LedgerException(
          Code.SCHEMA_FOREIGN,
          database.name()
              + " cannot be brought to schema "
              + CURRENT
              + "; it seems to belong to another program or to have been changed by hand. Restore"
              + " a backup, or start with another data directory or database. ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** A full disk, for example, is not a foreign schema, though Flyway wraps both alike. */
  private static void throwStorageTrouble(FlywayException failure, Database database)
      throws SQLException {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException trouble
          && database.error(trouble).code() != Code.INTERNAL) {
        throw trouble;
      }
    }
  }
}
